import type { Change } from "../model/change.ts";
import { SlowwaveError } from "../model/errors.ts";
import { agentLabel, type Issue } from "../model/issue.ts";
import type { Outcome } from "../model/proposal.ts";
import type { Agent, AgentContext } from "../ports/agent.ts";
import type { View } from "../ports/view.ts";
import type { Gate } from "./gate.ts";
import type { AgentPlan, DecidedProposal, ItemFailure } from "./plan.ts";
import type { PlanInput } from "./plan-pipeline.ts";
import { withRetries } from "./retry.ts";

export interface PlannedAgent {
  readonly plan: AgentPlan;
  readonly decided: readonly DecidedProposal[];
  readonly notes: readonly string[];
}

/** One agent's scan and processing. An item that fails is recorded and does not stop the rest. */
export async function planAgent(run: {
  readonly agent: Agent<unknown>;
  readonly context: AgentContext;
  readonly gate: Gate;
  readonly input: PlanInput;
}): Promise<PlannedAgent> {
  const { agent, context, input } = run;
  input.signal.throwIfAborted();
  const scan = await agent.scan(context);
  const tally = createTally(scan.held);
  const items = input.limit === undefined ? scan.items : scan.items.slice(0, input.limit);
  tally.hold("limit", scan.items.length - items.length);
  context.progress.start(agent.name, items.length);
  for (const [position, itemId] of items.entries()) {
    await input.pacer.take(input.signal);
    const outcomes = await processItem(itemId, run);
    if (outcomes.kind === "failed")
      tally.fail(
        outcomes.failure,
        blockIssueOf(itemId, agent.name, outcomes.failure, context.view),
      );
    else for (const outcome of outcomes.outcomes) tally.add(outcome, run.gate);
    context.progress.advance(agent.name, position + 1);
  }
  context.progress.finish(agent.name);
  return tally.finish(
    scan.scanned,
    scan.notes.map((note) => `${agent.name}: ${note}`),
  );
}

type Processed =
  | { readonly kind: "done"; readonly outcomes: readonly Outcome<unknown>[] }
  | { readonly kind: "failed"; readonly failure: ItemFailure };

async function processItem(
  itemId: string,
  run: {
    readonly agent: Agent<unknown>;
    readonly context: AgentContext;
    readonly input: PlanInput;
  },
): Promise<Processed> {
  const { system, signal } = run.input;
  try {
    const work = () => run.agent.process(itemId, run.context);
    return { kind: "done", outcomes: await withRetries(work, { system, signal }) };
  } catch (error) {
    // A predicted failure concerns this item alone; an abort or a bug stops the run with its stack.
    if (!(error instanceof SlowwaveError) || error.code === "interrupted") throw error;
    return { kind: "failed", failure: { itemId, message: error.message } };
  }
}

/** An item that is an issue is left blocked with the error, so that a person sees it. */
function blockIssueOf(
  itemId: string,
  agent: string,
  failure: ItemFailure,
  view: View,
): DecidedProposal | undefined {
  const issue = view.issues().find((candidate) => candidate.id === itemId);
  if (issue === undefined || issue.status === "closed" || issue.notes.error === failure.message)
    return undefined;
  const after: Issue = {
    ...issue,
    status: "blocked",
    notes: { ...issue.notes, error: failure.message },
    updatedAt: view.now,
    comments: [
      ...issue.comments,
      { author: `agent:${agent}`, at: view.now, text: `failed: ${failure.message}` },
    ],
    revision: issue.revision + 1,
  };
  const changes = [{ kind: "issue.put", before: issue, after }] as const;
  return {
    proposal: {
      id: `${agent}:block:${issue.id}:${issue.revision}`,
      agent,
      namespace: issue.namespace,
      action: "block_issue",
      results: [],
      confidence: 1,
      reason: failure.message,
      dependsOn: [],
      changes,
      finding: { title: issue.title, urgency: issue.notes.urgency, members: [], scores: {} },
    },
    fate: "apply",
    changes,
    why: agentLabel(agent),
  };
}

/** One for all: a large store has a hundred thousand reports without any. */
const NO_CHANGES: readonly Change[] = [];

function createTally(initiallyHeld: Readonly<Record<string, number>>) {
  const held: Record<string, number> = { ...initiallyHeld };
  const results: unknown[] = [];
  const decided: DecidedProposal[] = [];
  const failures: ItemFailure[] = [];
  const hold = (reason: string, count: number): void => {
    if (count > 0) held[reason] = (held[reason] ?? 0) + count;
  };
  return {
    hold,
    fail: (failure: ItemFailure, blocked: DecidedProposal | undefined): void => {
      failures.push(failure);
      if (blocked) decided.push(blocked);
    },
    add: (outcome: Outcome<unknown>, gate: Gate): void => {
      if (outcome.kind === "held") {
        hold(outcome.reason, 1);
        return;
      }
      const { proposal } = outcome;
      const decision = gate.decide(proposal);
      if (decision.fate === "hold") hold(decision.why, 1);
      if (decision.fate === "apply" || decision.fate === "none") results.push(...proposal.results);
      const changes = "changes" in decision ? decision.changes : NO_CHANGES;
      if (!("why" in decision)) decided.push({ proposal, fate: decision.fate, changes });
      else decided.push({ proposal, fate: decision.fate, changes, why: decision.why });
    },
    finish: (scanned: number, notes: readonly string[]): PlannedAgent => ({
      plan: { scanned, results, held, failures },
      decided,
      notes,
    }),
  };
}
