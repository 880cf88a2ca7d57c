import { type Memory, memoryKey, reviseMemory } from "../../model/memory.ts";
import type { Outcome, Proposal } from "../../model/proposal.ts";
import type { PromotionResult } from "../../model/results.ts";
import type { Agent, AgentContext, ScanResult } from "../../ports/agent.ts";
import { foldCase } from "../../text/normalize.ts";
import type { AgentDeps } from "../agent-deps.ts";
import { type Allowance, issueAllowance } from "../issue-steps.ts";
import { hold, propose } from "../proposing.ts";
import { compareIds, nameItems } from "../work-items.ts";
import { extendNote } from "./extend-note.ts";
import { type NearDuplicates, openNearDuplicates } from "./near-duplicates.ts";
import { type Candidate, passGates } from "./promotion-gates.ts";
import { closeSecretIssue, findSettledSecrets, proposeSecretIssue } from "./secret-issues.ts";

/** Confidence: what a person forced 1, both criteria 0.97, one of them 0.92; every gate is a rule on counts, and undo moves the note away. */
const CONFIDENCE = { forced: 1, both: 0.97, one: 0.92 } as const;

/**
 * Makes long-term notes of memories that proved their worth. The note itself is composed from the final view of the run. Without `deps`
 * nobody can tell what says the same, and each gets a note of its own.
 */
export function createPromoteAgent(deps?: AgentDeps): Agent<PromotionResult> {
  let work: ReadonlyMap<string, Candidate> = new Map();
  let aside: ReadonlyMap<string, readonly Outcome<PromotionResult>[]> = new Map();
  let taken: Set<string> | undefined;
  let near: NearDuplicates | undefined;
  return {
    name: "promote",
    scan: async (context) => {
      const { candidates, secretive, scan } = scanMemories(context);
      work = nameItems(candidates);
      aside = secretWork(secretive, context);
      const memories = candidates.map(({ memory }) => memory);
      if (deps !== undefined && memories.length > 0) {
        near = await openNearDuplicates(memories, { deps, context });
      }
      return { ...scan, items: [...work.keys(), ...aside.keys()] };
    },
    process: async (itemId, context) => {
      const candidate = work.get(itemId);
      if (candidate === undefined) return aside.get(itemId) ?? [];
      if (context.notes === undefined) return [hold(itemId, "no_vault")];
      const { memory, criteriaMet } = candidate;
      // Who asks for a note by name gets it.
      const restated = criteriaMet.includes("forced") ? undefined : near?.find(memory);
      if (restated !== undefined) {
        return extendNote(memory, restated, { view: context.view, itemId });
      }
      taken ??= takenPaths(context, context.notes.takenPaths);
      const isTaken = (path: string): boolean => taken?.has(foldCase(path)) === true;
      const vaultPath = context.notes.format.pathFor(memory, isTaken);
      taken.add(foldCase(vaultPath));
      const proposal = promote(candidate, vaultPath, context);
      near?.add(memory, proposal.id);
      return [{ kind: "proposal", proposal }];
    },
  };
}

/** The best first, so that a limit takes the best. */
function scanMemories(context: AgentContext): {
  readonly candidates: readonly Candidate[];
  /** What would be promoted but for a secret in it. */
  readonly secretive: readonly Memory[];
  readonly scan: Omit<ScanResult, "items">;
} {
  const held: Record<string, number> = {};
  const candidates: Candidate[] = [];
  const secretive: Memory[] = [];
  let scanned = 0;
  for (const memory of activeInScope(context)) {
    scanned += 1;
    const gate = passGates(memory, context);
    if (gate.kind === "passed") candidates.push(gate.candidate);
    else held[gate.reason] = (held[gate.reason] ?? 0) + 1;
    if (gate.kind === "held" && gate.reason === "secret") secretive.push(memory);
  }
  candidates.sort(
    (a, b) =>
      b.score - a.score ||
      compareIds(a.memory.namespace, b.memory.namespace) ||
      compareIds(a.memory.id, b.memory.id),
  );
  const waits = context.notes === undefined && candidates.length > 0;
  const notes = waits
    ? [`${candidates.length} wait for a vault: ${context.notesUnavailable ?? "none is there"}`]
    : [];
  return { candidates, secretive, scan: { scanned, held, notes } };
}

/** Issues to open for held-back memories, and to close where the secret is gone; only those that change something. */
function secretWork(
  secretive: readonly Memory[],
  context: AgentContext,
): ReadonlyMap<string, readonly Outcome<PromotionResult>[]> {
  const work = new Map<string, readonly Outcome<PromotionResult>[]>();
  for (const issue of findSettledSecrets(context)) {
    work.set(issue.id, [closeSecretIssue(issue, context.view.now)]);
  }
  const allowances = new Map<string, Allowance>();
  for (const memory of secretive) {
    const { namespace } = memory;
    const allow = allowances.get(namespace) ?? issueAllowance(context, namespace);
    allowances.set(namespace, allow);
    const outcomes = proposeSecretIssue(memory, { context, allow });
    if (outcomes.length > 0) work.set(`secret:${memoryKey(memory)}`, outcomes);
  }
  return work;
}

function activeInScope({ view, inScope }: AgentContext): readonly Memory[] {
  return view
    .namespaces()
    .flatMap((namespace) => view.memories(namespace))
    .filter((memory) => memory.status === "active" && inScope(memory));
}

/** A note that a person removed or has not fetched yet still owns its path. */
function takenPaths({ view }: AgentContext, present: ReadonlySet<string>): Set<string> {
  const owned = view
    .namespaces()
    .flatMap((namespace) => view.memories(namespace))
    .flatMap(({ vaultPath }) => vaultPath ?? []);
  return new Set([...present, ...owned].map(foldCase));
}

function promote(
  candidate: Candidate,
  vaultPath: string,
  { view }: AgentContext,
): Proposal<PromotionResult> {
  const { memory, score, criteriaMet } = candidate;
  const reason = reasonFor(candidate);
  const after = reviseMemory(memory, {
    status: "promoted",
    promotedAt: view.now,
    promotedScore: score,
    promotedWhy: reason,
    vaultPath,
    vaultFolder: vaultPath.split("/").slice(0, -1).join("/"),
  });
  return propose({
    agent: "promote",
    namespace: memory.namespace,
    action: "promote",
    subject: [memory.id, memory.content, vaultPath],
    results: [{ memoryId: memory.id, vaultPath, criteriaMet, score }],
    confidence: confidenceOf(criteriaMet),
    reason,
    changes: [{ kind: "memory.put", before: memory, after }],
    finding: {
      title: `Promote to ${vaultPath}`,
      urgency: "low",
      members: [memory],
      scores: { score },
    },
  });
}

function confidenceOf(criteriaMet: Candidate["criteriaMet"]): number {
  if (criteriaMet.includes("forced")) return CONFIDENCE.forced;
  return criteriaMet.length > 1 ? CONFIDENCE.both : CONFIDENCE.one;
}

function reasonFor({ score, criteriaMet, usesInWindow }: Candidate): string {
  const written = {
    forced: "asked for by a person",
    score: `score ${score.toFixed(2)}`,
    uses: `${usesInWindow} recent uses`,
  };
  return criteriaMet.map((criterion) => written[criterion]).join(", ");
}
