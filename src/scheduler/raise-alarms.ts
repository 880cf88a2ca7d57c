import { DAY_MS, HOUR_MS, type Instant, toIso } from "../model/instant.ts";
import type { Memory } from "../model/memory.ts";
import type { AgentCounts, Run } from "../model/run.ts";
import type { RunReport } from "../model/run-report.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { findClockLeap } from "./clock-leap.ts";

/** Completed pipeline runs in a row, this one among them, after which standing still is worth a word. */
const STILL_RUNS = 5;
/** Clocks of two machines, and `--as-of` rounded to the minute, may differ by so much. */
const CLOCK_GRACE_MS = 60_000;
/** Pipeline runs within an hour that no one asks for on purpose: a scheduler that starts them each minute, say. */
export const RUNS_AN_HOUR = 12;

/**
 * What a person should know about this run that only shows beside earlier ones. Each thing is said once, not every night for as long as
 * it lasts.
 */
export async function raiseAlarms(
  report: RunReport,
  context: {
    readonly runId: string;
    readonly store: MemoryStore;
    readonly memories: readonly Memory[];
  },
): Promise<readonly string[]> {
  const now = report.run.asOf;
  const earlier = (await context.store.read("run"))
    .filter((run) => run.id !== context.runId)
    .toSorted((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1));
  const waiting = await context.store.read("issue", { status: ["open", "in_progress", "blocked"] });
  const waits = waiting.filter((issue) => !issue.undone).length;
  return [
    ...clockBackAlarm(earlier, now),
    ...clockLeapAlarm(earlier, now),
    ...futureAlarm(earlier, context.memories, now),
    ...oftenAlarm(earlier, now),
    ...unchangedAlarm(earlier, report, waits),
    ...unpromotedAlarm(earlier, report),
  ];
}

function isSaid(runs: readonly Run[], words: string): boolean {
  return runs.some(({ notes }) => notes.some((note) => note.includes(words)));
}

/** Decay, caps and the interval go by the clock, so a wrong one is never silent. */
function clockBackAlarm(earlier: readonly Run[], now: Instant): readonly string[] {
  const [last] = earlier;
  if (last === undefined || now >= last.startedAt - CLOCK_GRACE_MS) return [];
  const than = `before the last one at ${toIso(last.startedAt)}`;
  if (isSaid(earlier, than)) return [];
  return [
    `clock: it is ${toIso(now)} for this run, ${than}: it was set back, or was ahead then. Ages, caps and the interval go by the time of now`,
  ];
}

function clockLeapAlarm(earlier: readonly Run[], now: Instant): readonly string[] {
  const leap = findClockLeap(earlier, now);
  if (leap === undefined) return [];
  const since = earlier.filter(({ startedAt }) => startedAt >= leap.at && startedAt <= now);
  if (isSaid(since, LEAP_WORDS)) return [];
  return [
    `clock: ${leap.days} days ${LEAP_WORDS}, far more than between earlier ones: if the clock was set forward, memories look older than they are. decay archives nothing before ${toIso(leap.holdUntil)}`,
  ];
}

const LEAP_WORDS = "have passed since the last run";

/** A day's grace, as in import: clocks differ, and so do readings of times without a zone. */
function futureAlarm(
  earlier: readonly Run[],
  memories: readonly Memory[],
  now: Instant,
): readonly string[] {
  const ahead = memories.filter(
    ({ createdAt, archivedReason }) => createdAt > now + DAY_MS && archivedReason !== "undone",
  );
  const [first] = ahead;
  if (first === undefined) return [];
  const words = `${ahead.length} ${ahead.length === 1 ? "memory is" : "memories are"} dated in the future`;
  if (isSaid(earlier, words)) return [];
  return [
    `clock: ${words} (${first.id}: ${toIso(first.createdAt)}): until then they count as made now, and are neither forgotten nor promoted`,
  ];
}

function oftenAlarm(earlier: readonly Run[], now: Instant): readonly string[] {
  const within = (ms: number) =>
    earlier.filter(({ startedAt }) => startedAt > now - ms && startedAt <= now);
  const count = 1 + within(HOUR_MS).filter(({ scope }) => scope === "pipeline").length;
  if (count < RUNS_AN_HOUR || isSaid(within(DAY_MS), OFTEN_WORDS)) return [];
  return [
    `often: ${count} runs ${OFTEN_WORDS}: is a scheduler set to every minute? \`run --scheduled\` keeps an interval, whoever starts it`,
  ];
}

const OFTEN_WORDS = "within an hour";

/** Completed pipeline runs before this one, newest first, for as long as `holds`; undefined where with this one they are too few. */
function streak(
  earlier: readonly Run[],
  report: RunReport,
  holds: (agents: Readonly<Record<string, AgentCounts>>) => boolean,
): readonly Run[] | undefined {
  if (report.run.status !== "completed" || !holds(report.agents)) return undefined;
  const completed = earlier.filter(
    ({ scope, status }) => scope === "pipeline" && status === "completed",
  );
  const end = completed.findIndex(({ agents }) => !holds(agents));
  const runs = end < 0 ? completed : completed.slice(0, end);
  return runs.length + 1 < STILL_RUNS ? undefined : runs;
}

function unchangedAlarm(
  earlier: readonly Run[],
  report: RunReport,
  waits: number,
): readonly string[] {
  const runs = streak(earlier, report, isUnchanged);
  if (runs === undefined || waits === 0 || isSaid(runs, STILL_WORDS)) return [];
  return [
    `the last ${runs.length + 1} runs ${STILL_WORDS}, while ${waits} ${waits === 1 ? "issue waits" : "issues wait"} for a person: \`slowwave issues list\``,
  ];
}

const STILL_WORDS = "changed nothing";

export function isUnchanged(agents: Readonly<Record<string, AgentCounts>>): boolean {
  return Object.values(agents).every(({ applied }) => applied === 0);
}

/** Nothing to promote is no news; candidates that a gate holds back night after night are. */
function unpromotedAlarm(earlier: readonly Run[], report: RunReport): readonly string[] {
  const isHeld = ({ promote }: Readonly<Record<string, AgentCounts>>) =>
    promote !== undefined && promote.applied === 0 && candidatesOf(promote).length > 0;
  const runs = streak(earlier, report, isHeld);
  if (runs === undefined || isSaid(runs, UNPROMOTED_WORDS)) return [];
  const reasons = candidatesOf(report.agents.promote)
    .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .map(([reason, count]) => `${count} ${reason.replaceAll("_", " ")}`);
  return [
    `promote: ${UNPROMOTED_WORDS} in the last ${runs.length + 1} runs, though candidates wait (now: ${reasons.join(", ")})`,
  ];
}

const UNPROMOTED_WORDS = "nothing was promoted";

/** Held back by what a person can change. Age and use come by themselves, and chatter waits for nobody. */
function candidatesOf(promote: AgentCounts | undefined): [string, number][] {
  return Object.entries(promote?.gates ?? {}).filter(
    ([reason, count]) => count > 0 && WAITING.has(reason),
  );
}

const WAITING: ReadonlySet<string> = new Set([
  "no_vault",
  "limit",
  "secret",
  "disputed",
  "policy",
  "low_confidence",
]);
