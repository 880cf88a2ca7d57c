/** Every failure that slowwave predicts; anything else that is thrown is a bug and keeps its stack. */
export type SlowwaveErrorCode =
  | "usage"
  | "config"
  | "input"
  | "not_found"
  | "store_unavailable"
  | "store_newer"
  | "store_conflict"
  | "store_damaged"
  | "busy"
  | "vault"
  | "git"
  | "tracker"
  | "embedder"
  | "language_model"
  | "schedule"
  | "interrupted";

export interface SlowwaveErrorOptions extends ErrorOptions {
  /** What a person can do about it, as one sentence. */
  readonly hint?: string;
}

/**
 * A predicted failure. `message` names the thing, what was expected and what was found; `hint` says how to mend it;
 * `cause` keeps the original error.
 */
export class SlowwaveError extends Error {
  override readonly name = "SlowwaveError";
  readonly code: SlowwaveErrorCode;
  readonly hint: string | undefined;

  constructor(code: SlowwaveErrorCode, message: string, options: SlowwaveErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}
