import { createHashEmbedder } from "../../src/adapters/memory/hash-embedder.ts";
import type { Issue } from "../../src/model/issue.ts";
import type { Memory } from "../../src/model/memory.ts";
import type { Outcome, Proposal } from "../../src/model/proposal.ts";
import type { Relation } from "../../src/model/relation.ts";
import type { JournalEntry } from "../../src/model/run.ts";
import { type Settings, settingsSchema } from "../../src/model/settings.ts";
import type { Use } from "../../src/model/use.ts";
import type { Agent, AgentContext, ScanResult } from "../../src/ports/agent.ts";
import type { Embedder } from "../../src/ports/embedder.ts";
import { relationColumns } from "../../src/ports/relation-columns.ts";
import { createWorkspace, type Workspace } from "../../src/scheduler/workspace.ts";
import { matrixOf } from "../../src/similarity/vectors.ts";
import { aJournalEntry, BUILT_AT } from "../builders.ts";

export const NOW = BUILT_AT + 40 * 86_400_000;

export interface World {
  readonly memories?: readonly Memory[];
  readonly relations?: readonly Relation[];
  readonly issues?: readonly Issue[];
  readonly uses?: readonly Use[];
  readonly journal?: readonly JournalEntry[];
  readonly now?: number;
  readonly embedder?: Embedder;
}

/** The overlay that runs use, over records given as plain data. */
export function workspaceOf(world: World): Workspace {
  const embedder = world.embedder ?? createHashEmbedder();
  return createWorkspace({
    now: world.now ?? NOW,
    journal: world.journal ?? [],
    snapshot: {
      storeId: "store",
      version: { records: 1, uses: 1 },
      memories: world.memories ?? [],
      relations: relationColumns(world.relations ?? []),
      issues: world.issues ?? [],
      uses: world.uses ?? [],
      vectors: async (memories) =>
        matrixOf(await embedder.embed(memories.map(({ content }) => content)), embedder.dimensions),
    },
  });
}

export function contextOf(
  workspace: Workspace,
  overrides: Partial<AgentContext> & { readonly tuned?: object } = {},
): AgentContext {
  const { tuned, ...context } = overrides;
  return {
    view: workspace.view,
    settings: settingsOf(tuned),
    inScope: () => true,
    signal: new AbortController().signal,
    progress: { start: () => {}, advance: () => {}, finish: () => {}, note: () => {} },
    ...context,
  };
}

export function settingsOf(tuned: object = {}): Settings {
  return settingsSchema.parse(tuned);
}

export interface AgentRun<T> {
  readonly scan: ScanResult;
  readonly outcomes: readonly Outcome<T>[];
  readonly proposals: readonly Proposal<T>[];
  readonly results: readonly T[];
  /** Reasons for which items were held, from scan and processing, with how many. */
  readonly held: Readonly<Record<string, number>>;
}

/** Scans and processes every item, as a run does. */
export async function runAgent<T>(agent: Agent<T>, context: AgentContext): Promise<AgentRun<T>> {
  const scan = await agent.scan(context);
  const outcomes: Outcome<T>[] = [];
  for (const item of scan.items) outcomes.push(...(await agent.process(item, context)));
  const proposals = outcomes.flatMap((one) => (one.kind === "proposal" ? [one.proposal] : []));
  const held: Record<string, number> = { ...scan.held };
  for (const one of outcomes) {
    if (one.kind === "held") held[one.reason] = (held[one.reason] ?? 0) + 1;
  }
  return {
    scan,
    outcomes,
    proposals,
    results: outcomes.flatMap(resultsOf),
    held,
  };
}

function resultsOf<T>(outcome: Outcome<T>): readonly T[] {
  if (outcome.kind === "report") return [outcome.result];
  return outcome.kind === "proposal" ? outcome.proposal.results : [];
}

/** Folds what the proposals change into the view, as between two agents of a run. */
export function applyAll(workspace: Workspace, proposals: readonly Proposal<unknown>[]): void {
  workspace.fold(proposals.flatMap(({ changes }) => changes));
}

/** A journal whose steps are those of the proposals, applied at `at`. */
export function journalOf(
  proposals: readonly Proposal<unknown>[],
  at: number,
): readonly JournalEntry[] {
  const steps = proposals
    .filter(({ changes }) => changes.length > 0)
    .map(({ id, agent, action, namespace, confidence, reason }) => ({
      proposalId: id,
      agent,
      action,
      namespace,
      confidence,
      reason,
    }));
  return [aJournalEntry({ at, steps })];
}
