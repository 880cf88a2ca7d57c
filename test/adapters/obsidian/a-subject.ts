import type { Memory } from "../../../src/model/memory.ts";
import type { NoteSubject } from "../../../src/ports/note-vault.ts";

export const CREATED = Date.UTC(2026, 2, 2, 9, 30);
export const PROMOTED = Date.UTC(2026, 2, 12, 3, 0);

/** A promoted memory. */
export function aMemory(changes: Partial<Memory> = {}): Memory {
  return {
    id: "m1",
    namespace: "default",
    kind: "semantic",
    content: "Maria is allergic to penicillin. She told the clinic.",
    tags: ["health"],
    entities: ["Maria"],
    extra: {},
    createdAt: CREATED,
    baseUseCount: 0,
    reviewCount: 0,
    strength: 1,
    pinned: false,
    disputed: false,
    status: "promoted",
    promotedAt: PROMOTED,
    leaves: [],
    provenance: [],
    revision: 1,
    ...changes,
  };
}

/** A memory about to become a note: its own only source, with no links. */
export function aSubject(
  changes: Partial<Memory> = {},
  rest: Partial<Omit<NoteSubject, "memory">> = {},
): NoteSubject {
  const memory = aMemory(changes);
  return {
    memory,
    why: "5 uses in 14 days",
    score: 0.8331,
    links: [],
    sources: [{ id: memory.id, content: memory.content, createdAt: memory.createdAt }],
    ...rest,
  };
}
