import type { System } from "../../src/ports/system.ts";

/** A system whose clocks move only when told to, or by sleeping. */
export function createFixedSystem(
  start = 1_772_442_000_000,
): System & { advance(ms: number): void; readonly slept: number[] } {
  let now = start;
  let tokens = 0;
  const slept: number[] = [];
  return {
    wallNow: () => now,
    monotonicMs: () => now - start,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
    randomToken: () => {
      tokens += 1;
      return tokens.toString(16).padStart(8, "0");
    },
    processLabel: "test-host|boot|1|1",
    isAlive: () => "alive",
    advance: (ms) => {
      now += ms;
    },
    slept,
  };
}
