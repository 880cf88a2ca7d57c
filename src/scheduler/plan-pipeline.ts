import { hashOfList } from "../model/hash.ts";
import type { Instant } from "../model/instant.ts";
import type { JournalSteps } from "../model/run.ts";
import type { Settings } from "../model/settings.ts";
import type { Agent, AgentContext } from "../ports/agent.ts";
import type { Snapshot } from "../ports/memory-store.ts";
import type { NoteVault, VaultFormat } from "../ports/note-vault.ts";
import type { Progress } from "../ports/progress.ts";
import type { System } from "../ports/system.ts";
import { createGate } from "./gate.ts";
import type { LastWritten } from "./last-written.ts";
import type { Pacer } from "./pacer.ts";
import type { AgentPlan, DecidedProposal, PipelinePlan } from "./plan.ts";
import { planAgent } from "./plan-agent.ts";
import { matchesFilter, type RunFilter } from "./run-options.ts";
import { tendQueue } from "./tend-queue.ts";
import { VAULT_AGENT } from "./vault-findings.ts";
import { openVaultStage } from "./vault-stage.ts";
import { createWorkspace } from "./workspace.ts";

export interface PlanInput {
  readonly snapshot: Snapshot;
  readonly journal: readonly JournalSteps[];
  readonly now: Instant;
  readonly settings: Settings;
  /** After a leap of the clock: until then decay archives nothing. */
  readonly holdForgettingUntil?: Instant;
  /** In the order in which they run; fresh objects, an agent serves one run. */
  readonly agents: readonly Agent<unknown>[];
  readonly vault?: NoteVault;
  readonly noteFormat: VaultFormat;
  readonly filter: RunFilter;
  readonly limit?: number;
  readonly forced?: ReadonlySet<string>;
  readonly lastWritten?: LastWritten;
  readonly acceptDeletions?: boolean;
  /** Paces the items (`--throttle`). */
  readonly pacer?: Pacer;
  readonly system: System;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * Takes in what a person did in the vault, runs the agents over one snapshot, each seeing the effects of those before it, and projects the
 * notes of the final view. Reads only:
 * store, vault and journal are as before.
 */
export async function planPipeline(input: PlanInput): Promise<PipelinePlan> {
  const workspace = createWorkspace(input);
  const gate = createGate({
    view: workspace.view,
    settings: input.settings,
    forced: input.forced ?? new Set(),
  });
  const { context, readyVault } = await createContext(input, workspace.view);
  const agents: Record<string, AgentPlan> = {};
  const decided: DecidedProposal[] = [];
  const notes: string[] = [];
  const timings: { stage: string; ms: number }[] = [];
  const timed = async <T>(stage: string, work: () => Promise<T>): Promise<T> => {
    const start = input.system.monotonicMs();
    const result = await work();
    timings.push({ stage, ms: input.system.monotonicMs() - start });
    return result;
  };
  const vault = await timed("vault", () =>
    openVaultStage({ input, workspace, gate, context, vault: readyVault }),
  );
  decided.push(...vault.synced.decided);
  notes.push(...vault.synced.notes);
  for (const agent of input.agents) {
    // One after the other: each agent must see what the earlier ones would change.
    const planned = await timed(agent.name, () => planAgent({ agent, context, gate, input }));
    const revived = planned.decided.map((one) => ({
      ...one,
      changes: workspace.revive(one.changes),
    }));
    agents[agent.name] = planned.plan;
    // One by one: a call takes no hundred thousand arguments.
    for (const one of revived) decided.push(one);
    notes.push(...planned.notes);
    workspace.fold(revived.flatMap((one) => one.changes));
  }
  const queue = tendQueue({ view: workspace.view, agents, namespace: input.filter.namespace });
  decided.push(...queue.decided);
  notes.push(...queue.notes);
  const projected = await timed("notes", () => vault.project(decided));
  notes.push(...projected.notes);
  const vaultPlan = vault.planOf(projected.decided);
  if (vaultPlan !== undefined) agents[VAULT_AGENT] = vaultPlan;
  return finishPlan({ input, agents, decided: projected.decided, notes, timings });
}

async function createContext(
  input: PlanInput,
  view: AgentContext["view"],
): Promise<{ readonly context: AgentContext; readonly readyVault: NoteVault | undefined }> {
  const base = {
    view,
    settings: input.settings,
    inScope: (memory: Parameters<AgentContext["inScope"]>[0]) =>
      matchesFilter(memory, input.filter),
    signal: input.signal,
    progress: input.progress,
    ...(input.forced ? { forced: input.forced } : {}),
    ...(input.holdForgettingUntil === undefined
      ? {}
      : { holdForgettingUntil: input.holdForgettingUntil }),
  };
  const state = await input.vault?.state();
  if (input.vault === undefined || state === undefined) {
    return {
      context: { ...base, notesUnavailable: "no vault is configured" },
      readyVault: undefined,
    };
  }
  if (state.kind !== "ready") {
    return { context: { ...base, notesUnavailable: state.reason }, readyVault: undefined };
  }
  if (state.empty && hasNotes(view)) {
    const why = `the vault ${state.root} is empty, though notes were written there: is its drive mounted?`;
    return { context: { ...base, notesUnavailable: why }, readyVault: undefined };
  }
  const takenPaths = new Set(await input.vault.paths());
  const notes = { format: input.noteFormat, takenPaths };
  return { context: { ...base, notes }, readyVault: input.vault };
}

function hasNotes(view: AgentContext["view"]): boolean {
  return view
    .namespaces()
    .some((namespace) => view.memories(namespace).some((memory) => memory.vaultPath !== undefined));
}

function finishPlan(parts: {
  readonly input: PlanInput;
  readonly agents: Readonly<Record<string, AgentPlan>>;
  readonly decided: readonly DecidedProposal[];
  readonly notes: readonly string[];
  readonly timings: PipelinePlan["timings"];
}): PipelinePlan {
  const { input, agents, decided, notes, timings } = parts;
  const plan = { asOf: input.now, agents, decided, notes };
  const hash = hashOfList(effectsOf(plan), JSON.stringify);
  // What it cost is no part of the hash: a plan from replies that are kept already is the same plan.
  const modelUse = input.agents.flatMap((agent) => agent.modelUse?.() ?? [])[0];
  const baseVersion = input.snapshot.version;
  return { ...plan, baseVersion, hash, timings, ...(modelUse ? { modelUse } : {}) };
}

/**
 * All that a plan comes to, piece by piece. Of a proposal its own changes and members would only say the same again, which takes seconds for
 * a large store.
 */
function* effectsOf({
  asOf,
  agents,
  decided,
  notes,
}: Pick<PipelinePlan, "asOf" | "agents" | "decided" | "notes">): Iterable<unknown> {
  yield { asOf, notes };
  for (const [name, { results, ...counts }] of Object.entries(agents)) {
    yield { name, ...counts };
    yield* results;
  }
  for (const { proposal, fate, why, changes } of decided) {
    const { id, confidence, reason } = proposal;
    yield { id, confidence, reason, fate, why, changes };
  }
}
