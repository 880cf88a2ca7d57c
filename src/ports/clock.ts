import type { Instant } from "../model/instant.ts";

/** The only source of "now". Fixed by `--as-of`; the machine's clock otherwise. */
export interface Clock {
  now(): Instant;
}
