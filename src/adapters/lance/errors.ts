import { SlowwaveError } from "../../model/errors.ts";

/** What the fence of a commit that came too late raises, see commit.ts. */
const STALE_FENCE = /divide by zero/i;
/** LanceDB gave up on its own retries, or another handle cleaned up what this one was about to read. */
const CONFLICT =
  /conflict|concurrent|incompatible transaction|contention|not found: .*\.(?:lance|manifest|txn)/i;
const DAMAGE =
  /corrupt|invalid range|invalid format|magic number|invalid magic|too small|sufficient data|fill whole buffer|not found: .*\.lance/i;

/** True where a write was refused as a whole because the table has moved on: read again, and retry. */
export function isRefused(error: unknown): boolean {
  const text = messageOf(error);
  return STALE_FENCE.test(text) || CONFLICT.test(text);
}

/** Runs work on LanceDB; what it throws becomes a SlowwaveError that says what was being done. */
export async function translating<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(doing, error);
  }
}

function translate(doing: string, error: unknown): unknown {
  if (error instanceof SlowwaveError) return error;
  const text = messageOf(error);
  if (DAMAGE.test(text)) {
    return new SlowwaveError("store_damaged", `cannot ${doing}: ${brief(text)}`, {
      cause: error,
      hint: "Run `slowwave doctor --repair`, or restore a backup.",
    });
  }
  return new SlowwaveError("store_unavailable", `cannot ${doing}: ${brief(text)}`, {
    cause: error,
  });
}

/** LanceDB repeats each message for each layer, with the path of its source file. */
function brief(text: string): string {
  return (text.split(/, \/[^ ]*\.rs:|\s+Caused by:/)[0] ?? text).replace(/lance error: /g, "");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
