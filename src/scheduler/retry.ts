import { SlowwaveError, type SlowwaveErrorCode } from "../model/errors.ts";
import { jitterOf } from "../model/jitter.ts";
import type { System } from "../ports/system.ts";

const TRIES = 3;
const FIRST_WAIT_MS = 200;

/** Failures that another try may mend; all others are the same the second time. */
const RETRYABLE: ReadonlySet<SlowwaveErrorCode> = new Set([
  "embedder",
  "language_model",
  "tracker",
  "git",
  "store_unavailable",
]);

/** Up to three tries with doubling, jittered waits, for failures that can pass. */
export async function withRetries<T>(
  work: () => Promise<T>,
  options: { readonly system: System; readonly signal: AbortSignal },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isRetryable = error instanceof SlowwaveError && RETRYABLE.has(error.code);
      if (!isRetryable || attempt === TRIES || options.signal.aborted) throw error;
      await options.system.sleep(backOffMs(attempt, options.system), options.signal);
    }
  }
}

/** 200 ms, 400 ms, each stretched by up to a half, so that two processes do not meet again. */
function backOffMs(attempt: number, system: System): number {
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 + jitterOf(system.randomToken()) / 2);
}
