import type { z } from "zod";
import type { memorySchema } from "./memory-schema.ts";

/** The kinds an agent may store today; `semantic` is the default. */
export const MEMORY_KINDS = ["semantic", "procedural", "episodic"] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

export const MEMORY_STATUSES = ["active", "promoted", "archived"] as const;
export type MemoryStatus = (typeof MEMORY_STATUSES)[number];

/**
 * Why a memory is archived. `decayed`: forgotten by the decay agent; `merged`: a source of a merge, `supersededBy` names the merged memory;
 * `superseded`: lost a contradiction; `forgotten`: a person asked; `deleted`: an import said so; `undone`: created by a run that was undone (invisible).
 */
export const ARCHIVE_REASONS = [
  "decayed",
  "merged",
  "superseded",
  "forgotten",
  "deleted",
  "undone",
] as const;
export type ArchiveReason = (typeof ARCHIVE_REASONS)[number];

export const DEFAULT_NAMESPACE = "default";

export type Memory = Readonly<z.infer<typeof memorySchema>>;

/** Active or promoted: what recall and the agents see. Archived memories are kept and readable by id. */
export function isLive(memory: Memory): boolean {
  return memory.status !== "archived";
}

/** Identity across namespaces: ids are unique within one only. */
export function memoryKey(memory: { readonly namespace: string; readonly id: string }): string {
  return JSON.stringify([memory.namespace, memory.id]);
}

/** The next revision of a memory with some fields changed; a field given as `undefined` is removed. */
export function reviseMemory(memory: Memory, changes: MemoryChanges): Memory {
  const next: Record<string, unknown> = { ...memory, revision: memory.revision + 1 };
  for (const [field, value] of Object.entries(changes)) {
    if (value === undefined) delete next[field];
    else next[field] = value;
  }
  // A memory whose fields were replaced by values of the same types (MemoryChanges) is a memory; the loop hides that from the compiler.
  return next as unknown as Memory;
}

export type MemoryChanges = {
  readonly [K in keyof Omit<Memory, "id" | "namespace" | "revision">]?: Memory[K] | undefined;
};
