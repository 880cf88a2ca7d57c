import { DAY_MS, type Instant, toIso } from "../model/instant.ts";
import type { AgentCounts, Run } from "../model/run.ts";
import type { RunReport } from "../model/run-report.ts";
import type { MemoryStore } from "../ports/memory-store.ts";

/** Completed pipeline runs in a row, this one among them, after which standing still is worth a word. */
const STILL_RUNS = 5;
/** Clocks of two machines, and `--as-of` rounded to the minute, may differ by so much. */
const CLOCK_GRACE_MS = 60_000;
/** A gap is a leap where it is this long, and this many times the usual one: a laptop that slept over a holiday is none. */
const LEAP_MS = 7 * DAY_MS;
const LEAP_TIMES = 10;

/** What a person should know about this run that only shows beside earlier ones. */
export async function raiseAlarms(
  report: RunReport,
  context: { readonly runId: string; readonly store: MemoryStore },
): Promise<readonly string[]> {
  const earlier = (await context.store.read("run")).filter((run) => run.id !== context.runId);
  const clock = clockAlarm(earlier, report.run.asOf);
  const still = lastStillRuns(earlier, report);
  if (still === undefined) return clock;
  const waiting = await context.store.read("issue", { status: ["open", "in_progress", "blocked"] });
  const waits = waiting.filter((issue) => !issue.undone).length;
  return [...clock, ...unchangedAlarm(still, waits), ...unpromotedAlarm(still)];
}

/** Decay, caps and the interval go by the clock, so a wrong one is never silent. */
function clockAlarm(earlier: readonly Run[], now: Instant): readonly string[] {
  const starts = earlier.map((run) => run.startedAt).sort((a, b) => a - b);
  const last = starts.at(-1);
  if (last === undefined) return [];
  if (now < last - CLOCK_GRACE_MS) {
    return [
      `clock: it is ${toIso(now)} for this run, before the last one at ${toIso(last)}: it was set back, or is behind now`,
    ];
  }
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? start));
  const usual = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
  const gap = now - last;
  if (usual === undefined || gap < LEAP_MS || gap < LEAP_TIMES * usual) return [];
  const days = Math.round(gap / DAY_MS);
  return [
    `clock: ${days} days have passed since the last run, far more than between earlier ones: if the clock was set forward, memories look older than they are`,
  ];
}

type AgentsOfRun = Readonly<Record<string, AgentCounts>>;

/** The agents' counts of the last pipeline runs, newest first; undefined where there are too few to tell. */
function lastStillRuns(
  earlier: readonly Run[],
  report: RunReport,
): readonly AgentsOfRun[] | undefined {
  const completed = earlier
    .filter(({ scope, status }) => scope === "pipeline" && status === "completed")
    .sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1));
  if (report.run.status !== "completed" || completed.length < STILL_RUNS - 1) return undefined;
  return [report.agents, ...completed.slice(0, STILL_RUNS - 1).map((run) => run.agents)];
}

function unchangedAlarm(runs: readonly AgentsOfRun[], waits: number): readonly string[] {
  const changed = runs
    .flatMap((agents) => Object.values(agents))
    .some(({ applied }) => applied > 0);
  if (changed || waits === 0) return [];
  return [
    `the last ${runs.length} runs changed nothing, while ${waits} ${waits === 1 ? "issue waits" : "issues wait"} for a person: \`slowwave issues list\``,
  ];
}

function unpromotedAlarm(runs: readonly AgentsOfRun[]): readonly string[] {
  const promote = runs.flatMap((agents) => agents.promote ?? []);
  const isIdle = promote.every(({ scanned, applied }) => scanned > 0 && applied === 0);
  if (promote.length < runs.length || !isIdle) return [];
  const reasons = Object.entries(promote[0]?.gates ?? {})
    .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .map(([reason, count]) => `${count} ${reason.replaceAll("_", " ")}`);
  const why = reasons.length === 0 ? "" : ` (now: ${reasons.join(", ")})`;
  return [`promote: nothing was promoted in the last ${runs.length} runs${why}`];
}
