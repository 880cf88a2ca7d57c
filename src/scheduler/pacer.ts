import type { System } from "../ports/system.ts";

/** Lets operations pass at a rate. */
export interface Pacer {
  /** Resolves when the next operation may start. */
  take(signal: AbortSignal): Promise<void>;
}

const MINUTE_MS = 60_000;

/** A sliding window: never more than `perMinute` starts in any 60 seconds of the monotonic clock. */
export function createPacer(perMinute: number, system: System): Pacer {
  const starts: number[] = [];
  return {
    take: async (signal) => {
      for (;;) {
        signal.throwIfAborted();
        const now = system.monotonicMs();
        while (starts.length > 0 && now - (starts[0] ?? now) >= MINUTE_MS) starts.shift();
        if (starts.length < perMinute) {
          starts.push(now);
          return;
        }
        // Another caller may take the slot while this one sleeps, hence the loop.
        await system.sleep(MINUTE_MS - (now - (starts[0] ?? now)), signal);
      }
    },
  };
}
