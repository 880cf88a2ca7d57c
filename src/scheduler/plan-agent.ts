import { setImmediate } from "node:timers/promises";
import type { Change } from "../model/change.ts";
import { SlowwaveError } from "../model/errors.ts";
import { agentLabel, type Issue } from "../model/issue.ts";
import type { Outcome, Proposal } from "../model/proposal.ts";
import type { Agent, AgentContext, ScanResult } from "../ports/agent.ts";
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

interface AgentRun {
  readonly agent: Agent<unknown>;
  readonly context: AgentContext;
  readonly gate: Gate;
  readonly input: PlanInput;
}

/** A pause between items is what lets a signal arrive. */
const ITEMS_BETWEEN_PAUSES = 1000;

/** One agent's scan and processing. An item that fails is recorded and does not stop the rest. */
export async function planAgent(run: AgentRun): Promise<PlannedAgent> {
  const { agent, context, input } = run;
  input.signal.throwIfAborted();
  const scan = await agent.scan(context);
  const tally = createTally(scan, run);
  const items = input.limit === undefined ? scan.items : scan.items.slice(0, input.limit);
  tally.hold("limit", scan.items.length - items.length);
  context.progress.start(agent.name, items.length);
  for (const [position, itemId] of items.entries()) {
    if (position % ITEMS_BETWEEN_PAUSES === 0) await setImmediate();
    await input.pacer?.take(input.signal);
    input.signal.throwIfAborted();
    const processed = processItem(itemId, run);
    tally.add(itemId, processed instanceof Promise ? await processed : processed);
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

/** What is answered at once costs no promise, of which a large store would make a hundred thousand; nothing in it can pass by itself. */
function processItem(itemId: string, run: AgentRun): Processed | Promise<Processed> {
  try {
    const outcomes = run.agent.process(itemId, run.context);
    // Anybody's promise, as agents may be anybody's.
    return "then" in outcomes ? finishItem(itemId, outcomes, run) : { kind: "done", outcomes };
  } catch (error) {
    return failureOf(itemId, error);
  }
}

async function finishItem(
  itemId: string,
  first: Promise<readonly Outcome<unknown>[]>,
  { agent, context, input }: AgentRun,
): Promise<Processed> {
  const { system, signal } = input;
  const started = [first];
  const work = async () => await (started.pop() ?? agent.process(itemId, context));
  try {
    return { kind: "done", outcomes: await withRetries(work, { system, signal }) };
  } catch (error) {
    return failureOf(itemId, error);
  }
}

/** A predicted failure concerns this item alone; an abort or a bug stops the run with its stack. */
function failureOf(itemId: string, error: unknown): Processed {
  if (!(error instanceof SlowwaveError) || error.code === "interrupted") throw error;
  return { kind: "failed", failure: { itemId, message: error.message } };
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

function createTally({ held: initiallyHeld }: ScanResult, { agent, context, gate }: AgentRun) {
  const held: Record<string, number> = { ...initiallyHeld };
  const results: unknown[] = [];
  const decided: DecidedProposal[] = [];
  const failures: ItemFailure[] = [];
  const hold = (reason: string, count: number): void => {
    if (count > 0) held[reason] = (held[reason] ?? 0) + count;
  };
  const decide = (proposal: Proposal<unknown>): void => {
    const decision = gate.decide(proposal);
    if (decision.fate === "hold") hold(decision.why, 1);
    if (decision.fate === "apply" || decision.fate === "none") results.push(...proposal.results);
    const changes: readonly Change[] = "changes" in decision ? decision.changes : [];
    const why = "why" in decision ? { why: decision.why } : {};
    decided.push({ proposal, fate: decision.fate, changes, ...why });
  };
  const add = (outcome: Outcome<unknown>): void => {
    if (outcome.kind === "held") hold(outcome.reason, 1);
    else if (outcome.kind === "report") results.push(outcome.result);
    else decide(outcome.proposal);
  };
  return {
    hold,
    add: (itemId: string, processed: Processed): void => {
      if (processed.kind === "done") {
        for (const outcome of processed.outcomes) add(outcome);
        return;
      }
      failures.push(processed.failure);
      const blocked = blockIssueOf(itemId, agent.name, processed.failure, context.view);
      if (blocked) decided.push(blocked);
    },
    finish: (scanned: number, notes: readonly string[]): PlannedAgent => ({
      plan: { scanned, results, held, failures },
      decided,
      notes,
    }),
  };
}
