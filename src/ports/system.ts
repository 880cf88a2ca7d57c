import type { Instant } from "../model/instant.ts";

/** The machine a process runs on: real time, waiting, and who is alive. Leases and pacing go by it, never by `--as-of`. */
export interface System {
  /** The machine's wall clock. */
  wallNow(): Instant;
  /** Milliseconds on a clock that never steps. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** An unguessable name, different on every call. */
  randomToken(): string;
  /** Names this process so that another one can tell whether it lives: host, boot, pid and start time. */
  readonly processLabel: string;
  /** `unknown` for a process of another host. */
  isAlive(processLabel: string): "alive" | "dead" | "unknown";
}
