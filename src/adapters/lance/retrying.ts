import { setTimeout as wait } from "node:timers/promises";
import { SlowwaveError } from "../../model/errors.ts";
import { isRefused } from "./errors.ts";

const ATTEMPTS = 200;
const LONGEST_WAIT_MS = 100;

/** Does the work again, with jitter, as long as other writers are in its way. Each attempt must read the store afresh. */
export async function retryWhileRefused<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (attempt === ATTEMPTS) throw tooBusy(error);
      await wait(Math.random() * Math.min(5 * attempt, LONGEST_WAIT_MS));
    }
  }
}

function tooBusy(cause: unknown): SlowwaveError {
  return new SlowwaveError(
    "store_conflict",
    `other processes kept writing to the store through ${ATTEMPTS} attempts`,
    { cause, hint: "Run it again when fewer processes write." },
  );
}
