import { SlowwaveError } from "../../model/errors.ts";
import { hashOf } from "../../model/hash.ts";
import { DAY_MS } from "../../model/instant.ts";
import type { Run } from "../../model/run.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import { applyPlan } from "../apply-plan.ts";
import { oweIssues } from "../issue-outbox.ts";
import { acquireRunLease } from "../lease.ts";
import type { ApplicablePlan } from "../plan.ts";
import { recover } from "../recover.ts";
import { reportDry, reportLive } from "../report.ts";
import type { RunDeps } from "../run-deps.ts";
import { nextRunId, startRun } from "../run-record.ts";
import { sendIssues } from "../send-issues.ts";
import type { UndoRefusal } from "./plan-puts.ts";
import { planUndo, type UndoPlan } from "./plan-undo.ts";

export interface UndoReport {
  readonly run: RunReport["run"];
  /** The run that was taken back. */
  readonly undoes: string;
  /** Records and notes that are, or in a dry run would be, as before that run. */
  readonly applied: number;
  readonly refused: readonly UndoRefusal[];
  readonly notes: readonly string[];
}

/**
 * Takes a run back, record by record, as a run of its own: nothing is deleted, what the run created becomes undone, and what it did counts
 * as declined. Records that someone changed since are refused. An undo can itself be undone.
 * @throws SlowwaveError `not_found` for an unknown run, `busy` where another run holds the lease.
 */
export async function undoRun(
  deps: RunDeps,
  runId: string,
  options: { readonly dryRun?: boolean; readonly signal?: AbortSignal } = {},
): Promise<UndoReport> {
  await refuseForgotten(await findRun(runId, deps.store), deps);
  return options.dryRun
    ? await undoDry(deps, runId)
    : await undoLive(deps, runId, options.signal ?? new AbortController().signal);
}

async function undoDry(deps: RunDeps, runId: string): Promise<UndoReport> {
  const now = deps.clock.now();
  const undo = await planUndo(await findRun(runId, deps.store), { deps, now });
  const plan = toPlan(undo, now);
  const report = reportDry({ plan, runId: await nextRunId(deps, now), notes: [] });
  return undoReport({ report, runId, undo });
}

async function undoLive(given: RunDeps, runId: string, signal: AbortSignal): Promise<UndoReport> {
  const deps = oweIssues(given);
  const { lease, takenOver } = await acquireRunLease(deps.store, deps.system);
  await using held = lease;
  const notes = takenOver === undefined ? [] : [takenOver];
  notes.push(...(await recover(deps)));
  const record = await startRun(deps, "undo", { undoes: runId });
  try {
    // Read again: recovery may have finished the run, and starting this one marks dead ones.
    const undo = await planUndo(await findRun(runId, deps.store), { deps, now: record.run.asOf });
    const plan = toPlan(undo, record.run.asOf);
    const applied = await applyPlan({ plan, runId: record.run.id, deps, lease: held, signal });
    notes.push(...(await sendIssues(deps)));
    const report = reportLive({ plan, applied, runId: record.run.id, notes });
    await record.finish(report, hashOf(plan.decided));
    await deps.store.maintain(plan.asOf);
    return undoReport({ report, runId, undo });
  } catch (error) {
    await record.abandon(signal.aborted ? "interrupted" : "failed");
    throw error;
  }
}

async function findRun(id: string, store: MemoryStore): Promise<Run> {
  const run = (await store.read("run")).find((one) => one.id === id);
  if (run !== undefined) return run;
  throw new SlowwaveError("not_found", `run ${JSON.stringify(id)}: there is none with this id`, {
    hint: "`slowwave runs` lists them.",
  });
}

/** Nothing to take back is one thing, and forgotten what there was another. */
async function refuseForgotten(run: Run, { store, settings, clock }: RunDeps): Promise<void> {
  if (run.asOf >= clock.now() - settings.journalDays * DAY_MS) return;
  const journal = await store.read("journal", { since: run.asOf });
  const own = journal.filter((entry) => entry.runId === run.id);
  if (own.some(({ trimmed }) => trimmed !== true)) return;
  throw new SlowwaveError(
    "not_found",
    `run ${run.id} cannot be taken back: what runs did is kept for ${settings.journalDays} days (settings.journalDays)`,
    { hint: "`slowwave restore <id>` brings single memories back; a backup has the rest." },
  );
}

function toPlan(undo: UndoPlan, asOf: number): ApplicablePlan {
  const failures = undo.refused.map(({ id, reason }) => ({ itemId: id, message: reason }));
  const undoing = { scanned: undo.touched, results: [], held: {}, failures };
  return { asOf, agents: { undo: undoing }, decided: undo.decided, notes: [], timings: [] };
}

function undoReport(input: {
  readonly report: RunReport;
  readonly runId: string;
  readonly undo: UndoPlan;
}): UndoReport {
  const { report, runId, undo } = input;
  const done = report.fates.filter(({ fate }) => fate === "applied" || fate === "planned");
  const refused = report.fates.flatMap(({ proposal, fate, why = "" }) =>
    fate === "refused" ? proposal.results.map((id) => ({ id: String(id), reason: why })) : [],
  );
  return {
    run: report.run,
    undoes: runId,
    applied: done.reduce((sum, { proposal }) => sum + proposal.results.length, 0),
    refused: [...undo.refused, ...refused],
    notes: report.notes,
  };
}
