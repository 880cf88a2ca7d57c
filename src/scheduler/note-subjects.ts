import { type Memory, memoryKey } from "../model/memory.ts";
import { RELATION_TYPES } from "../model/relation.ts";
import type { ComposedNote, NoteFormat, NoteLink, NoteSubject } from "../ports/note-vault.ts";
import type { View } from "../ports/view.ts";

/** A memory that has a note in the vault. */
export type Noted = Memory & { readonly vaultPath: string };

/** Every memory with a note: promoted ones, and archived ones, whose note stays as an archived one. */
export function notedMemories(view: View): readonly Noted[] {
  return view
    .namespaces()
    .flatMap((namespace) => view.memories(namespace))
    .filter(
      (memory): memory is Noted => memory.status !== "active" && memory.vaultPath !== undefined,
    );
}

/** The text of a memory's note. What a person edited is written over only where it went into the memory. */
export function composeFor(
  memory: Memory,
  existing: string | undefined,
  input: {
    readonly view: View;
    readonly format: NoteFormat;
    readonly sync: { readonly taken: ReadonlyMap<string, unknown> };
  },
): ComposedNote {
  const edits = input.sync.taken.has(memoryKey(memory)) ? "taken" : "kept";
  return input.format.compose(subjectOf(memory, input), existing, edits);
}

export function subjectOf(
  memory: Memory,
  input: { readonly view: View; readonly format: NoteFormat },
): NoteSubject {
  const leaves = memory.leaves.flatMap((id) => input.view.memory(memory.namespace, id) ?? []);
  const sources = leaves.length > 0 ? leaves : [memory];
  const successor = successorOf(memory, input);
  const restatements = restatementsOf(memory, input.view);
  return {
    memory,
    why: memory.promotedWhy ?? "",
    score: memory.promotedScore ?? 0,
    links: memory.status === "archived" ? [] : linksOf(memory, input),
    ...(restatements.length === 0 ? {} : { restatements }),
    ...(successor === undefined ? {} : { successor }),
    sources: sources.map(({ id, content, createdAt, source }) => ({
      id,
      content,
      createdAt,
      ...(source === undefined ? {} : { source }),
    })),
  };
}

/** Memories that say the same again and have no note: they stand in this one. */
function restatementsOf(memory: Memory, view: View): readonly Memory[] {
  if (memory.status === "archived") return [];
  return view
    .relationsOf(memory.namespace, memory.id)
    .filter(({ type, to }) => type === RELATION_TYPES.restates && to === memory.id)
    .flatMap(({ from }) => view.memory(memory.namespace, from) ?? [])
    .filter(({ status, disputed }) => status === "active" && !disputed)
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** Promoted neighbours, strongest first; where several relations lead to one note, the strongest names it. */
function linksOf(
  memory: Memory,
  { view, format }: { readonly view: View; readonly format: NoteFormat },
): readonly NoteLink[] {
  const relations = view
    .relationsOf(memory.namespace, memory.id)
    .filter((relation) => relation.type !== RELATION_TYPES.consolidatedFrom)
    .toSorted((a, b) => b.strength - a.strength || (a.id < b.id ? -1 : 1));
  const links = new Map<string, NoteLink>();
  for (const relation of relations) {
    const other = view.memory(
      memory.namespace,
      relation.from === memory.id ? relation.to : relation.from,
    );
    if (other?.status !== "promoted" || other.vaultPath === undefined || links.has(other.vaultPath))
      continue;
    if (other.vaultPath === memory.vaultPath) continue;
    links.set(other.vaultPath, {
      path: other.vaultPath,
      title: format.titleOf(other),
      relationType: relation.type,
    });
  }
  return [...links.values()];
}

/** The living memory at the end of the chain of those that took this one's place, if it has a note. */
function successorOf(
  memory: Memory,
  { view, format }: { readonly view: View; readonly format: NoteFormat },
): NoteLink | undefined {
  const seen = new Set([memory.id]);
  let current = memory;
  while (current.status === "archived" && current.supersededBy && !seen.has(current.supersededBy)) {
    seen.add(current.supersededBy);
    const next = view.memory(memory.namespace, current.supersededBy);
    if (next === undefined) return undefined;
    current = next;
  }
  if (current === memory || current.status !== "promoted" || current.vaultPath === undefined) {
    return undefined;
  }
  return {
    path: current.vaultPath,
    title: format.titleOf(current),
    relationType: RELATION_TYPES.related,
  };
}
