import { DAY_MS, HOUR_MS, type Instant, toIso } from "../model/instant.ts";
import { countQueue, queueWords } from "../model/issue-queue.ts";
import type { Run } from "../model/run.ts";
import type { Parts } from "../wire.ts";
import { advise, broken, brokenBy, type Finding, fine } from "./doctor-finding.ts";

/** What an open store tells about its embedder, the clock, and the nights before. */
export async function checkStoreContents(parts: Parts): Promise<readonly Finding[]> {
  const { store, clock } = parts;
  const now = clock.now();
  const runs = (await store.read("run")).toSorted((a, b) => a.startedAt - b.startedAt);
  return [
    await checkEmbedder(parts),
    checkClock(runs, now),
    ...checkRuns(runs, { now, intervalHours: parts.config.intervalHours }),
    await checkUnfinished(parts, runs),
    await checkIssues(parts, now),
    ...(await checkTracker(parts)),
  ];
}

async function checkEmbedder({ embedder, store }: Parts): Promise<Finding> {
  const [other] = (await store.vectorState()).others;
  if (other !== undefined) {
    const [id, count] = other;
    return broken(
      "embedder",
      `${embedder.id} is configured, and ${count} memories have vectors of ${id}`,
      "`slowwave reembed` computes them anew, or configure the embedder that made them.",
    );
  }
  const vector = await embedder.embed(["The kettle is blue."]).then(
    ([one]) => one,
    (error: unknown) => brokenBy("embedder", error),
  );
  if (vector !== undefined && "check" in vector) return vector;
  const isUsable = vector?.length === embedder.dimensions && vector.some((value) => value !== 0);
  return isUsable
    ? fine("embedder", `${embedder.id}, ${embedder.dimensions} dimensions`)
    : broken(
        "embedder",
        `${embedder.id} gives no vector for a plain sentence`,
        "Install slowwave again.",
      );
}

/** Clocks of machines that share a store differ by seconds, not by more. */
const TOLERANCE_MS = 5 * 60_000;

function checkClock(runs: readonly Run[], now: Instant): Finding {
  const last = runs.at(-1);
  if (last === undefined || last.startedAt <= now + TOLERANCE_MS) return fine("clock", toIso(now));
  return broken(
    "clock",
    `a run is dated ${toIso(last.startedAt)}, and it is ${toIso(now)} now`,
    "The clock was wrong then or is now: set it. Runs dated in the future do not count for the interval.",
  );
}

const REPEATED = 3;
const IDLE_RUNS = 10;

function checkRuns(
  all: readonly Run[],
  { now, intervalHours }: { readonly now: Instant; readonly intervalHours: number },
): readonly Finding[] {
  const runs = all.filter((run) => run.scope === "pipeline" && run.startedAt <= now);
  const last = runs.findLast((run) => run.status === "completed");
  const failures = runs.slice(-REPEATED).filter((run) => run.status !== "completed");
  if (failures.length === REPEATED) {
    const detail = `the last ${REPEATED} runs did not complete: ${failures.map((run) => run.status).join(", ")}`;
    return [broken("runs", detail, `\`slowwave runs show ${failures.at(-1)?.id}\` says why.`)];
  }
  if (last === undefined) {
    return [
      advise("runs", "none has completed yet", "`slowwave run --dry-run` shows what one would do."),
    ];
  }
  const detail = `the last completed run was ${toIso(last.startedAt)}`;
  if (now - last.startedAt > 3 * Math.max(24, intervalHours) * HOUR_MS) {
    return [
      advise("runs", detail, "It seems that nothing starts it: `slowwave schedule install`."),
    ];
  }
  const recent = runs.slice(-IDLE_RUNS);
  const isIdle = recent.length === IDLE_RUNS && recent.every((run) => plannedIn(run) === 0);
  return isIdle
    ? [
        advise(
          "runs",
          `the last ${IDLE_RUNS} runs found nothing to do`,
          "`slowwave run --dry-run` tells which gates held everything back.",
        ),
      ]
    : [fine("runs", detail)];
}

function plannedIn({ agents }: Run): number {
  return Object.values(agents).reduce((sum, { planned }) => sum + planned, 0);
}

/** Batches that were prepared and not applied, and commits that git still owes: the next run sees to both. */
async function checkUnfinished({ store }: Parts, runs: readonly Run[]): Promise<Finding> {
  const prepared = await store.read("journal", { state: ["prepared"] });
  const owed = await store.read("outbox", { state: ["open"] });
  if (prepared.length + owed.length === 0) return fine("unfinished work", "none");
  const detail = `${prepared.length} interrupted batches, ${owed.length} open commits or messages`;
  if (runs.some((run) => run.status === "running")) {
    return advise(
      "unfinished work",
      detail,
      "A run works on it, or was killed; the next one finishes it.",
    );
  }
  return broken("unfinished work", detail, "`slowwave run` finishes it.");
}

async function checkIssues({ store }: Parts, now: Instant): Promise<Finding> {
  const issues = await store.read("issue", { status: ["open", "in_progress", "blocked"] });
  if (issues.length === 0) return fine("issues", "none waits");
  const olderThan = (days: number) =>
    issues.filter((issue) => now - issue.createdAt > days * DAY_MS).length;
  const [week, month] = [olderThan(7), olderThan(30)];
  const queue = countQueue(issues, now);
  const people = queue.waiting === 0 ? "none for a person" : `for a person ${queueWords(queue)}`;
  const detail = `${issues.length} wait: ${issues.length - week} up to a week old, ${week - month} up to 30 days, ${month} older; ${people}`;
  return month === 0
    ? fine("issues", detail)
    : advise("issues", detail, "`slowwave issues list` shows them; close what you do not want.");
}

/** Where issues are kept outside of the store, a run that cannot read them does nothing. */
async function checkTracker({ mirror, config }: Parts): Promise<readonly Finding[]> {
  if (mirror === undefined) return [];
  try {
    const issues = await mirror.readAll();
    const detail = `beads in ${config.tracker.directory} has ${issues.length} issues of this store`;
    return [fine("issue tracker", detail)];
  } catch (error) {
    return [brokenBy("issue tracker", error)];
  }
}
