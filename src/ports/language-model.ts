import type { JsonObject } from "../model/json.ts";
import type { ModelReply, ModelUse } from "../model/model-reply.ts";

export interface LanguageRequest {
  readonly system: string;
  readonly user: string;
  /** What the reply has to look like; callers check it themselves nevertheless. */
  readonly schema: { readonly name: string; readonly schema: JsonObject };
  readonly maxOutputTokens: number;
}

export type LanguageFailure =
  /** A ceiling of calls or tokens is reached. */
  | "ceiling"
  /** It failed too often in this run to be asked again. */
  | "breaker_open"
  | "rate_limited"
  | "unreachable"
  | "timeout"
  | "server_error"
  /** The server will never take this request: a wrong key, for example. */
  | "refused_request"
  | "bad_response"
  /** The last three are answers, of no use. */
  | "truncated"
  | "refusal"
  | "empty";

export type LanguageReply =
  /** The same request has the same reply, of the same id and tokens, from the cache the second time. */
  | { readonly kind: "reply"; readonly text: string; readonly reply: ModelReply }
  /** `message` holds neither key nor memory text. */
  | { readonly kind: "failed"; readonly failure: LanguageFailure; readonly message: string };

/**
 * A model that answers in text. Failing is an answer too: whoever asks goes on without it. An implementation must keep to ceilings of
 * tokens and calls, stop asking a server that keeps failing, and never show its key. Only an abort of the signal throws.
 */
export interface LanguageModel {
  /** For example `groq/llama-3.1-8b-instant`. */
  readonly id: string;
  complete(request: LanguageRequest, signal: AbortSignal): Promise<LanguageReply>;
  /** Since this object was made. */
  use(): ModelUse;
}
