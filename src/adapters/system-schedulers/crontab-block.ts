import { SlowwaveError } from "../../model/errors.ts";
import type { ScheduledJob } from "../../ports/schedule-installer.ts";
import { programsOf, shellLine } from "./shell-line.ts";

const BEGIN = "# >>> slowwave >>>";
const END = "# <<< slowwave <<<";

/** Our part of a crontab, markers included: at its time, and when the machine starts. */
export function crontabBlock(job: ScheduledJob): string {
  // In a crontab an unescaped % ends the command.
  const line = shellLine(job).replaceAll("%", "\\%");
  return [
    BEGIN,
    "# Written by `slowwave schedule install`; `slowwave schedule uninstall` removes it.",
    `${job.minute} ${job.hour ?? "*"} * * * ${line}`,
    `@reboot ${line}`,
    END,
    "",
  ].join("\n");
}

export interface Crontab {
  readonly before: string;
  /** Empty where there is none. */
  readonly block: string;
  readonly after: string;
}

/**
 * Finds our block; every other byte is someone else's.
 * @throws SlowwaveError `schedule` where its markers are not a pair
 */
export function splitCrontab(text: string): Crontab {
  const begins = [...text.matchAll(lineOf(BEGIN))];
  const ends = [...text.matchAll(lineOf(END))];
  const [begin, end] = [begins[0], ends[0]];
  if (begin === undefined && end === undefined) return { before: text, block: "", after: "" };
  if (
    begin === undefined ||
    end === undefined ||
    begins.length + ends.length > 2 ||
    begin.index > end.index
  ) {
    throw new SlowwaveError(
      "schedule",
      `the crontab's lines "${BEGIN}" and "${END}" are not one pair`,
      {
        hint: "Put them right, or remove them with what is between, by `crontab -e`.",
      },
    );
  }
  const stop = end.index + end[0].length;
  return {
    before: text.slice(0, begin.index),
    block: text.slice(begin.index, stop),
    after: text.slice(stop),
  };
}

function lineOf(marker: string): RegExp {
  return new RegExp(`^${marker.replace(/[.*+?^$()|[\]\\]/g, "\\$&")}[ \\t]*(?:\\r?\\n|$)`, "gm");
}

/** The programs that a block starts. */
export function programsOfBlock(block: string): readonly string[] {
  const line = block.split("\n").find((one) => one.startsWith("@reboot ")) ?? "";
  return programsOf(line.replaceAll("\\%", "%"));
}
