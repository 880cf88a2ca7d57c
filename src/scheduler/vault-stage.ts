import type { Agent, AgentContext } from "../ports/agent.ts";
import type { NoteVault } from "../ports/note-vault.ts";
import type { Gate } from "./gate.ts";
import type { AgentPlan, DecidedProposal } from "./plan.ts";
import type { PlanInput } from "./plan-pipeline.ts";
import { projectNotes } from "./project-notes.ts";
import { readOnce } from "./read-once.ts";
import { VAULT_AGENT } from "./vault-findings.ts";
import { syncVault } from "./vault-sync.ts";
import type { Workspace } from "./workspace.ts";

/** Does nothing of its own: a run of it alone is the vault's part of every run. */
export function createVaultAgent(): Agent<never> {
  return {
    name: VAULT_AGENT,
    scan: async ({ notesUnavailable }) => ({
      items: [],
      scanned: 0,
      held: {},
      notes: notesUnavailable === undefined ? [] : [notesUnavailable],
    }),
    process: async () => [],
  };
}

interface StageResult {
  readonly decided: readonly DecidedProposal[];
  readonly notes: readonly string[];
}

/** What is done with the vault before and after the agents of a run. */
interface VaultStage {
  /** What came back from the vault; folded into the workspace already. */
  readonly synced: StageResult;
  /** Everything decided, with the notes of the final view. */
  project(decided: readonly DecidedProposal[]): Promise<StageResult>;
  /** The vault's own steps as an agent's, for the report; `undefined` where there is nothing to tell. */
  planOf(decided: readonly DecidedProposal[]): AgentPlan | undefined;
}

export async function openVaultStage(run: {
  readonly input: PlanInput;
  readonly workspace: Workspace;
  readonly gate: Gate;
  readonly context: AgentContext;
  readonly vault: NoteVault | undefined;
}): Promise<VaultStage> {
  const { input, workspace, gate, context } = run;
  const isAsked = input.agents.some((agent) => agent.name === VAULT_AGENT);
  const planOf = (scanned: number, decided: readonly DecidedProposal[]): AgentPlan | undefined => {
    const own = decided.filter((one) => one.proposal.agent === VAULT_AGENT);
    if (own.length === 0 && !isAsked) return undefined;
    return { scanned, results: [], held: countHeld(own), failures: [] };
  };
  if (run.vault === undefined) {
    return {
      synced: { decided: [], notes: [] },
      project: async (decided) => ({ decided, notes: [] }),
      planOf: (decided) => planOf(0, decided),
    };
  }
  const vault = readOnce(run.vault);
  const paths = context.notes?.takenPaths ?? new Set<string>();
  const lastWritten = input.lastWritten ?? (async () => undefined);
  const shared = { view: workspace.view, vault, format: input.noteFormat, paths, lastWritten };
  const sync = await syncVault({
    ...shared,
    gate,
    acceptDeletions: input.acceptDeletions ?? false,
  });
  workspace.fold(sync.decided.flatMap((one) => one.changes));
  const fold = workspace.fold;
  return {
    synced: sync,
    project: (decided) => projectNotes({ ...shared, decided, sync, fold }),
    planOf: (decided) => planOf(sync.scanned, decided),
  };
}

function countHeld(decided: readonly DecidedProposal[]): Readonly<Record<string, number>> {
  const held: Record<string, number> = {};
  for (const one of decided) {
    if (one.fate === "hold" && one.why !== undefined) held[one.why] = (held[one.why] ?? 0) + 1;
  }
  return held;
}
