import type { ScheduledJob, ScheduleInstaller } from "../../ports/schedule-installer.ts";

const PLACE = "memory";

/** In-memory twin of a scheduler: same contract, starts nothing. */
export function createMemoryScheduleInstaller(): ScheduleInstaller {
  let kept: ScheduledJob | undefined;
  const textOf = (job: ScheduledJob) => JSON.stringify(job);
  return {
    kind: "cron",
    render: (job) => [{ place: PLACE, text: textOf(job) }],
    install: async (job) => {
      const changed = kept === undefined || textOf(kept) !== textOf(job);
      kept = job;
      return { changed, places: [PLACE] };
    },
    uninstall: async () => {
      const changed = kept !== undefined;
      kept = undefined;
      return { changed, places: [PLACE] };
    },
    installed: async () =>
      kept === undefined ? undefined : { places: [PLACE], programs: [kept.node, kept.script] },
  };
}
