import { SlowwaveError } from "../model/errors.ts";
import { DAY_MS } from "../model/instant.ts";
import type { Run } from "../model/run.ts";
import type { RunMeasures } from "../model/run-measures.ts";
import type { RunReport } from "../model/run-report.ts";
import type { Agent } from "../ports/agent.ts";
import type { Snapshot } from "../ports/memory-store.ts";
import { applyPlan } from "./apply-plan.ts";
import { findClockLeap } from "./clock-leap.ts";
import { oweIssues } from "./issue-outbox.ts";
import { lastWrittenNotes } from "./last-written.ts";
import { acquireRunLease, type RunLease } from "./lease.ts";
import { measureRun } from "./measure-run.ts";
import { paceVersionControl } from "./paced-version-control.ts";
import { createPacer } from "./pacer.ts";
import type { DecidedProposal, PipelinePlan } from "./plan.ts";
import { planPipeline } from "./plan-pipeline.ts";
import { raiseAlarms } from "./raise-alarms.ts";
import { recover } from "./recover.ts";
import { reportDry, reportLive } from "./report.ts";
import type { RunDeps } from "./run-deps.ts";
import type { RunOptions } from "./run-options.ts";
import { nextRunId, startRun } from "./run-record.ts";
import { sendIssues } from "./send-issues.ts";
import { takeInIssues, withOutsideIssues } from "./take-in-issues.ts";
import { trimJournal } from "./trim-journal.ts";

/**
 * The pipeline, or one agent of it, dry or live. Both are the same planning at one pinned version; a live run then applies the plan.
 * @throws SlowwaveError `usage` for an unknown agent, `busy` where another run holds the lease, `interrupted` when stopped while planning.
 */
export async function runPipeline(deps: RunDeps, options: RunOptions = {}): Promise<RunReport> {
  const agents = chooseAgents(
    await deps.createAgents({ full: options.full === true }),
    options.agent,
  );
  const signal = options.signal ?? new AbortController().signal;
  try {
    return options.dryRun
      ? await runDry(agents, deps, { ...options, signal })
      : await runLive(agents, oweIssues(withRateLimit(deps, options)), { ...options, signal });
  } catch (error) {
    if (signal.aborted && !(error instanceof SlowwaveError)) {
      throw new SlowwaveError("interrupted", "the run was stopped before anything was applied", {
        cause: error,
      });
    }
    throw error;
  }
}

/** A stopped run still finishes the git commit it owes, so its commands are paced and never aborted. */
function withRateLimit(deps: RunDeps, options: RunOptions): RunDeps {
  if (deps.versionControl === undefined) return deps;
  const pacer = createPacer(options.rateLimit ?? DEFAULT_RATE_LIMIT, deps.system);
  const versionControl = paceVersionControl(
    deps.versionControl,
    pacer,
    new AbortController().signal,
  );
  return { ...deps, versionControl };
}

const DEFAULT_RATE_LIMIT = 60;

type SignalledOptions = RunOptions & { readonly signal: AbortSignal };

function chooseAgents(
  agents: readonly Agent<unknown>[],
  wanted: string | undefined,
): readonly Agent<unknown>[] {
  if (wanted === undefined) return agents;
  const chosen = agents.filter((agent) => agent.name === wanted);
  if (chosen.length > 0) return chosen;
  const names = agents.map((agent) => agent.name).join(", ");
  throw new SlowwaveError("usage", `unknown agent "${wanted}"`, { hint: `Agents are: ${names}.` });
}

async function runDry(
  agents: readonly Agent<unknown>[],
  deps: RunDeps,
  options: SignalledOptions,
): Promise<RunReport> {
  return await reportPlan(await makePlan(agents, deps, options), deps);
}

/**
 * What a live run would do now, as a plan that can be kept and applied. Reads only.
 * @throws SlowwaveError `usage` for an unknown agent, `interrupted`.
 */
export async function planRun(
  deps: RunDeps,
  options: Omit<RunOptions, "dryRun"> = {},
): Promise<MadePlan & { readonly report: RunReport }> {
  const agents = chooseAgents(
    await deps.createAgents({ full: options.full === true }),
    options.agent,
  );
  const signal = options.signal ?? new AbortController().signal;
  const made = await makePlan(agents, deps, { ...options, signal });
  return { ...made, report: await reportPlan(made, deps) };
}

async function reportPlan(made: MadePlan, deps: RunDeps): Promise<RunReport> {
  const { plan } = made;
  const prepared = await deps.store.read("journal", { state: ["prepared"] });
  const unfinished =
    prepared.length === 0
      ? []
      : [`recovery: a live run will first finish ${prepared.length} interrupted batches`];
  const report = reportDry({ plan, runId: await nextRunId(deps, plan.asOf), notes: unfinished });
  return { ...report, measures: measure(made, plan.decided, deps) };
}

async function runLive(
  agents: readonly Agent<unknown>[],
  deps: RunDeps,
  options: SignalledOptions,
): Promise<RunReport> {
  const { lease, takenOver } = await acquireRunLease(deps.store, deps.system);
  await using held = lease;
  const seenTo = [...(takenOver === undefined ? [] : [takenOver]), ...(await recover(deps))];
  const scope = options.agent === undefined ? "pipeline" : "agent";
  const record = await startRun(deps, scope);
  try {
    const notes = [...seenTo, ...(await takeInIssues(deps))];
    const made = await makePlan(agents, deps, options, held);
    const { plan } = made;
    const applied = await applyPlan({
      plan,
      runId: record.run.id,
      deps,
      lease: held,
      signal: options.signal,
    });
    notes.push(...(await sendIssues(deps)));
    const done = reportLive({ plan, applied, runId: record.run.id, notes });
    const alarms =
      scope === "pipeline"
        ? await raiseAlarms(done, {
            runId: record.run.id,
            store: deps.store,
            memories: made.snapshot.memories,
          })
        : [];
    const measures = measure(made, applied.applied, deps);
    const report = {
      ...done,
      measures,
      notes: [...done.notes, ...alarms],
      alarms: [...seenTo, ...alarms],
    };
    await record.finish(report, plan.hash);
    await trimJournal(deps, plan.asOf);
    await deps.store.maintain(plan.asOf);
    return report;
  } catch (error) {
    await record.abandon(options.signal.aborted ? "interrupted" : "failed");
    throw error;
  }
}

function measure(
  { plan, snapshot }: MadePlan,
  done: Iterable<DecidedProposal>,
  { settings }: RunDeps,
): RunMeasures {
  const changes = Array.from(done, (one) => one.changes).flat();
  return measureRun({ snapshot, changes, settings, now: plan.asOf });
}

/** Without the one that this plan is for, which is under way. */
async function earlierRuns(deps: RunDeps): Promise<readonly Run[]> {
  return (await deps.store.read("run")).filter(({ status }) => status !== "running");
}

interface MadePlan {
  readonly plan: PipelinePlan;
  /** What it was made on. */
  readonly snapshot: Snapshot;
}

async function makePlan(
  agents: readonly Agent<unknown>[],
  deps: RunDeps,
  options: SignalledOptions,
  lease?: RunLease,
): Promise<MadePlan> {
  const now = deps.clock.now();
  const stored = await deps.store.snapshot();
  // A live run has taken it in by now.
  const snapshot = lease === undefined ? await withOutsideIssues(stored, deps) : stored;
  const recent = await deps.store.readSteps(now - DAY_MS);
  // A batch that a wrong clock dated years ahead must not use up the caps until then; one of a clock that was set back by hours must.
  const journal = recent.filter(({ at }) => at <= now + DAY_MS);
  const leap = findClockLeap(await earlierRuns(deps), now);
  await lease?.renew();
  const plan = await planPipeline({
    snapshot,
    journal,
    now,
    settings: deps.settings,
    agents,
    ...(leap === undefined ? {} : { holdForgettingUntil: leap.holdUntil }),
    ...(deps.vault ? { vault: deps.vault } : {}),
    noteFormat: await deps.loadNoteFormat(),
    filter: options.filter ?? {},
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.forced ? { forced: options.forced } : {}),
    lastWritten: lastWrittenNotes(deps.store),
    acceptDeletions: options.acceptDeletions === true,
    ...(options.throttle === undefined
      ? {}
      : { pacer: createPacer(options.throttle, deps.system) }),
    system: deps.system,
    signal: options.signal,
    progress: deps.progress,
  });
  return { plan, snapshot };
}
