import type { Change } from "../model/change.ts";
import { createIssue, fingerprintOf, standingOf } from "../model/issue.ts";
import type { Memory } from "../model/memory.ts";
import { RELATION_TYPES } from "../model/relation.ts";
import type { NoteFormat, NoteLink, NoteSubject, NoteVault } from "../ports/note-vault.ts";
import type { View } from "../ports/view.ts";
import type { NotePut } from "./changes.ts";
import type { DecidedProposal } from "./plan.ts";

/**
 * Notes are a projection of the final view, made after relations, so that links resolve both ways and a second run rewrites nothing.
 * A new promotion gets its note into its own changeset: both happen or neither.
 */
export async function projectNotes(input: {
  readonly view: View;
  readonly vault: NoteVault;
  readonly format: NoteFormat;
  readonly decided: readonly DecidedProposal[];
}): Promise<{ readonly decided: readonly DecidedProposal[]; readonly notes: readonly string[] }> {
  const newPaths = newlyPromotedPaths(input.decided);
  const puts = new Map<string, NotePut>();
  const extra: DecidedProposal[] = [];
  const missing: string[] = [];
  for (const memory of promotedMemories(input.view)) {
    const projected = await projectOne(memory, { ...input, isNew: newPaths.has(memory.vaultPath) });
    if (projected.kind === "missing") missing.push(memory.vaultPath);
    if (projected.kind === "new") puts.set(memory.vaultPath, projected.put);
    if (projected.kind === "extra") extra.push(...projected.decided);
  }
  const decided = [...input.decided.map((one) => withItsNote(one, puts)), ...extra];
  return { decided, notes: missing.length === 0 ? [] : [missingNote(missing)] };
}

type Projected =
  | { readonly kind: "same" | "missing" }
  | { readonly kind: "new"; readonly put: NotePut }
  | { readonly kind: "extra"; readonly decided: readonly DecidedProposal[] };

async function projectOne(
  memory: Promoted,
  input: {
    readonly view: View;
    readonly vault: NoteVault;
    readonly format: NoteFormat;
    readonly isNew: boolean;
  },
): Promise<Projected> {
  const existing = await input.vault.read(memory.vaultPath);
  if (existing === undefined && !input.isNew) return { kind: "missing" };
  const composed = input.format.compose(subjectOf(memory, input), existing);
  if (composed.kind === "edited") {
    return { kind: "extra", decided: editedNote(memory, composed.reason, input.view) };
  }
  if (composed.text === existing) return { kind: "same" };
  const before = existing === undefined ? null : { text: existing };
  const put: NotePut = {
    kind: "note.put",
    path: memory.vaultPath,
    before,
    after: { text: composed.text },
  };
  return input.isNew ? { kind: "new", put } : { kind: "extra", decided: [rewriteOf(memory, put)] };
}

type Promoted = Memory & { readonly vaultPath: string };

function promotedMemories(view: View): readonly Promoted[] {
  return view
    .namespaces()
    .flatMap((namespace) => view.memories(namespace))
    .filter(
      (memory): memory is Promoted =>
        memory.status === "promoted" && memory.vaultPath !== undefined,
    );
}

function newlyPromotedPaths(decided: readonly DecidedProposal[]): ReadonlySet<string> {
  return new Set(
    decided.flatMap((one) => one.changes.flatMap((change) => promotionPath(change) ?? [])),
  );
}

/** The note path of a change that promotes: a memory that has a note after and had none before. */
function promotionPath(change: Change): string | undefined {
  if (change.kind !== "memory.put" || change.after?.status !== "promoted") return undefined;
  return change.before?.status === "promoted" ? undefined : change.after.vaultPath;
}

function withItsNote(one: DecidedProposal, puts: ReadonlyMap<string, NotePut>): DecidedProposal {
  const notes = one.changes.flatMap((change) => puts.get(promotionPath(change) ?? "") ?? []);
  return notes.length === 0 ? one : { ...one, changes: [...one.changes, ...notes] };
}

function subjectOf(
  memory: Promoted,
  input: { readonly view: View; readonly format: NoteFormat },
): NoteSubject {
  const leaves = memory.leaves.flatMap((id) => input.view.memory(memory.namespace, id) ?? []);
  const sources = leaves.length > 0 ? leaves : [memory];
  return {
    memory,
    why: memory.promotedWhy ?? "",
    score: memory.promotedScore ?? 0,
    links: linksOf(memory, input),
    sources: sources.map(({ id, content, createdAt, source }) => ({
      id,
      content,
      createdAt,
      ...(source === undefined ? {} : { source }),
    })),
  };
}

/** Promoted neighbours, strongest first; where several relations lead to one note, the strongest names it. */
function linksOf(
  memory: Promoted,
  input: { readonly view: View; readonly format: NoteFormat },
): readonly NoteLink[] {
  const relations = input.view
    .relationsOf(memory.namespace, memory.id)
    .filter((relation) => relation.type !== RELATION_TYPES.consolidatedFrom)
    .toSorted((a, b) => b.strength - a.strength || (a.id < b.id ? -1 : 1));
  const links = new Map<string, NoteLink>();
  for (const relation of relations) {
    const other = input.view.memory(
      memory.namespace,
      relation.from === memory.id ? relation.to : relation.from,
    );
    if (other?.status !== "promoted" || other.vaultPath === undefined || links.has(other.vaultPath))
      continue;
    if (other.vaultPath === memory.vaultPath) continue;
    links.set(other.vaultPath, {
      path: other.vaultPath,
      title: input.format.titleOf(other),
      relationType: relation.type,
    });
  }
  return [...links.values()];
}

function rewriteOf(memory: Promoted, put: NotePut): DecidedProposal {
  return {
    proposal: {
      id: `promote:note:${memory.namespace}:${memory.id}`,
      agent: "promote",
      namespace: memory.namespace,
      action: "update_note",
      results: [],
      confidence: 1,
      reason: "its memory, links or sources changed",
      dependsOn: [],
      changes: [put],
      finding: { title: put.path, urgency: "low", members: [memory], scores: {} },
    },
    fate: "apply",
    changes: [put],
  };
}

/** A person edited the part of a note that is ours: it stays as it is, and an issue says so, once. */
function editedNote(memory: Promoted, reason: string, view: View): readonly DecidedProposal[] {
  const action = "note_edited";
  const fingerprint = fingerprintOf({
    agent: "promote",
    namespace: memory.namespace,
    action,
    members: [memory],
  });
  if (standingOf(view.issueByFingerprint(fingerprint)) !== "none") return [];
  const title = `Note edited by hand: ${memory.vaultPath}`;
  const issue = createIssue(
    {
      namespace: memory.namespace,
      title,
      fingerprint,
      notes: {
        agent: "promote",
        action,
        memoryIds: [memory.id],
        urgency: "medium",
        reason,
        scores: {},
        details: { path: memory.vaultPath },
      },
    },
    view.now,
  );
  const changes = [{ kind: "issue.put", before: null, after: issue }] as const;
  const proposal = {
    id: `promote:note-edited:${memory.namespace}:${memory.id}`,
    agent: "promote",
    namespace: memory.namespace,
    action: "open_issue",
    results: [],
    confidence: 1,
    reason,
    dependsOn: [],
    changes,
    finding: { title, urgency: "medium", members: [memory], scores: {} },
  } as const;
  return [{ proposal, fate: "apply", changes }];
}

function missingNote(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(", ");
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  return `notes: ${paths.length} missing from the vault, not written again: ${shown}${more}`;
}
