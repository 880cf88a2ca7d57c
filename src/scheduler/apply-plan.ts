import type { OutboxItem } from "../model/run.ts";
import { applyBatch } from "./apply-batch.ts";
import { createRefusals, type Refusal, splitBatches } from "./batches.ts";
import { commitNotes } from "./commit-notes.ts";
import type { RunLease } from "./lease.ts";
import type { ApplicablePlan, DecidedProposal } from "./plan.ts";
import type { RunDeps } from "./run-deps.ts";

export interface AppliedPlan {
  readonly applied: ReadonlySet<DecidedProposal>;
  readonly refused: readonly Refusal[];
  /** Stopped between two batches: what is applied is whole, the rest was not begun. */
  readonly isInterrupted: boolean;
  readonly notes: readonly string[];
  readonly ms: number;
}

/** Applies a plan batch by batch under the run lease, then commits the notes it wrote. */
export async function applyPlan(input: {
  readonly plan: ApplicablePlan;
  readonly runId: string;
  readonly deps: RunDeps;
  readonly lease: RunLease;
  readonly signal: AbortSignal;
  /** Why a proposal must not be applied although its records may be as expected. */
  readonly whyRefused?: (one: DecidedProposal) => string | undefined;
}): Promise<AppliedPlan> {
  const { plan, deps } = input;
  const start = deps.system.monotonicMs();
  const applied = new Set<DecidedProposal>();
  const refused: Refusal[] = [];
  const context = {
    deps,
    runId: input.runId,
    asOf: plan.asOf,
    refusals: createRefusals(input.whyRefused),
    written: new Map<string, unknown>(),
  };
  const batches = splitBatches(plan.decided, deps.changesPerBatch);
  let outbox: OutboxItem | undefined;
  let isInterrupted = false;
  deps.progress.start("apply", batches.length);
  for (const [position, decided] of batches.entries()) {
    isInterrupted = input.signal.aborted;
    if (isInterrupted) break;
    // In order: a later batch's before-images are an earlier one's after-images.
    await input.lease.renew();
    const result = await applyBatch({ index: position + 1, decided, outbox }, context);
    for (const one of result.applied) applied.add(one);
    refused.push(...result.refused);
    outbox = result.outbox;
    deps.progress.advance("apply", position + 1);
  }
  deps.progress.finish("apply");
  const notes = outbox === undefined ? [] : await commitNotes([outbox], deps);
  return { applied, refused, isInterrupted, notes, ms: deps.system.monotonicMs() - start };
}
