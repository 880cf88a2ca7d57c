import { SlowwaveError } from "../../model/errors.ts";
import type { ScheduleInstaller } from "../../ports/schedule-installer.ts";
import { crontabBlock, programsOfBlock, splitCrontab } from "./crontab-block.ts";
import type { CommandAnswer, RunCommand } from "./run-command.ts";
import { scheduleError } from "./schedule-error.ts";

const PLACE = "crontab";

/** The user's crontab, through the `crontab` command. */
export function createCrontab(run: RunCommand): ScheduleInstaller {
  return {
    kind: "cron",
    render: (job) => [{ place: PLACE, text: crontabBlock(job) }],
    install: async (job) => {
      const text = await readCrontab(run);
      const { before, block, after } = splitCrontab(text);
      const next = crontabBlock(job);
      // A last line without its end would run together with our first.
      const gap = before === "" || before.endsWith("\n") ? "" : "\n";
      return await replace(run, {
        text,
        next: `${before}${gap}${next}${after}`,
        isSame: block === next,
      });
    },
    uninstall: async () => {
      const text = await readCrontab(run);
      const { before, block, after } = splitCrontab(text);
      return await replace(run, { text, next: before + after, isSame: block === "" });
    },
    installed: async () => {
      const answer = await run("crontab", ["-l"]);
      // Where there is no cron nothing can be installed in it.
      if (answer.exitCode === undefined) return undefined;
      const { block } = splitCrontab(tableOf(answer));
      return block === "" ? undefined : { places: [PLACE], programs: programsOfBlock(block) };
    },
  };
}

async function replace(
  run: RunCommand,
  {
    text,
    next,
    isSame,
  }: { readonly text: string; readonly next: string; readonly isSame: boolean },
): Promise<{ readonly changed: boolean; readonly places: readonly string[] }> {
  if (isSame) return { changed: false, places: [PLACE] };
  const answer = await run("crontab", ["-"], next);
  if (answer.exitCode !== 0) throw scheduleError("crontab", answer, HINT);
  const found = await readCrontab(run);
  if (found !== next) {
    throw new SlowwaveError("schedule", "crontab took the new table but shows another one", {
      hint: `Look at it with \`crontab -l\`; before, it had ${text.split("\n").length - 1} lines.`,
    });
  }
  return { changed: true, places: [PLACE] };
}

async function readCrontab(run: RunCommand): Promise<string> {
  return tableOf(await run("crontab", ["-l"]));
}

/** No crontab yet is an empty one; any other failure must never be taken for that, or the next write would wipe it. */
function tableOf(answer: CommandAnswer): string {
  if (answer.exitCode === 0) return answer.stdout;
  // Vixie cron, cronie, macOS; then BusyBox.
  const isNone = /no crontab for|can't open '[^']+': No such file/i.test(answer.stderr);
  if (answer.exitCode !== undefined && isNone) return "";
  throw scheduleError("crontab", answer, HINT);
}

const HINT =
  "Install cron, or use --systemd or --launchd; `slowwave schedule print --cron` shows the lines.";
