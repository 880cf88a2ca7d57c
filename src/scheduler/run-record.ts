import { SlowwaveError } from "../model/errors.ts";
import { hashOf } from "../model/hash.ts";
import { type Instant, toIso } from "../model/instant.ts";
import type { AgentCounts, Run } from "../model/run.ts";
import type { AgentReport, RunReport } from "../model/run-report.ts";
import type { RunDeps } from "./run-deps.ts";

/** `run-20260413T030000Z-3f9a2c`: the clock of the run, and a hash of the store and of how many runs it has seen. */
export async function nextRunId(deps: RunDeps, asOf: Instant): Promise<string> {
  const runs = await deps.store.read("run");
  const stamp = toIso(asOf).replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  return `run-${stamp}-${hashOf([deps.store.storeId, runs.length], 6)}`;
}

export interface RunRecord {
  readonly run: Run;
  finish(report: RunReport, planHash: string): Promise<void>;
  /** Best effort after a failure: keeps the original error the one that is reported. */
  abandon(status: "failed" | "interrupted"): Promise<void>;
}

/** Writes the run as running, so that one that is killed is still seen in the list of runs. */
export async function startRun(
  deps: RunDeps,
  scope: Run["scope"],
  about: Pick<Run, "undoes"> = {},
): Promise<RunRecord> {
  const now = deps.clock.now();
  const run: Run = {
    id: await nextRunId(deps, now),
    scope,
    status: "running",
    asOf: now,
    startedAt: now,
    agents: {},
    notes: [],
    planHash: "",
    configHash: hashOf(deps.settings, 16),
    embedder: deps.embedderId,
    ...about,
    revision: 1,
  };
  const startMs = deps.system.monotonicMs();
  const ending = () => ({
    finishedAt: deps.clock.now(),
    tookMs: Math.round(deps.system.monotonicMs() - startMs),
    revision: 2,
  });
  await markDeadRuns(deps, now);
  await put(deps, null, run);
  return {
    run,
    finish: async (report, planHash) => {
      await put(deps, run, {
        ...run,
        ...ending(),
        status: report.run.status,
        agents: Object.fromEntries(
          Object.entries(report.agents).map(([name, agent]) => [name, countsOf(agent)]),
        ),
        notes: report.notes,
        ...(report.modelUse === undefined ? {} : { modelUse: report.modelUse }),
        ...(report.measures === undefined ? {} : { measures: report.measures }),
        planHash,
      });
    },
    abandon: async (status) => {
      await put(deps, run, { ...run, ...ending(), status });
    },
  };
}

/** Whoever holds the lease knows that no other run lives: one still marked running was killed. */
async function markDeadRuns(deps: RunDeps, now: Instant): Promise<void> {
  const runs = await deps.store.read("run");
  for (const dead of runs.filter((run) => run.status === "running")) {
    await put(deps, dead, {
      ...dead,
      status: "interrupted",
      finishedAt: now,
      revision: dead.revision + 1,
    });
  }
}

async function put(deps: RunDeps, before: Run | null, after: Run): Promise<void> {
  const result = await deps.store.commit([{ record: "run", before, after }]);
  if (!result.ok)
    throw new SlowwaveError(
      "store_conflict",
      `run record ${after.id} was changed by another process`,
    );
}

function countsOf(report: AgentReport): AgentCounts {
  const { scanned, planned, applied, waiting, skipped, failed, gates } = report;
  return { scanned, planned, applied, waiting, skipped, failed, gates };
}
