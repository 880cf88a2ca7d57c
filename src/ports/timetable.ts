import type { Instant } from "../model/instant.ts";

/** When something is due, by a cron expression in a time zone. */
export interface Timetable {
  /**
   * The first due time after `after`, up to a year on; `undefined` where there is none. Each time of the local clock counts once: one that
   * is skipped when clocks are put forward is due at the moment of the change, and one that comes twice when they are put back is due the
   * first time. An expression for every hour goes by real hours instead.
   */
  nextAfter(after: Instant): Instant | undefined;
}
