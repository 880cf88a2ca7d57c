import { SlowwaveError } from "../model/errors.ts";
import { DAY_MS } from "../model/instant.ts";
import { type ArchiveReason, isLive, type Memory, memoryKey } from "../model/memory.ts";
import type { Relation } from "../model/relation.ts";
import type { MemoryStore, RecordImage, Snapshot } from "../ports/memory-store.ts";
import { everyRelation, visibleRelations } from "../ports/relation-columns.ts";
import { acquireRunLease } from "./lease.ts";
import type { RunDeps } from "./run-deps.ts";

/** How long an archived memory stays recoverable at least. */
const KEPT_DAYS = 30;

/** Originals of merges stay for as long as a merge is checked against them, and what an undo hid for as long as the undo can be undone. */
const REMOVABLE: ReadonlySet<ArchiveReason | undefined> = new Set<ArchiveReason>([
  "decayed",
  "forgotten",
  "deleted",
  "superseded",
]);

export interface Garbage {
  /** What is, or would be, removed, longest archived first. */
  readonly memories: readonly Memory[];
  /** Relations at one of them, which go with them. */
  readonly relations: readonly Relation[];
  /** Why other archived memories stay: reason → how many. */
  readonly kept: Readonly<Record<"recent" | "pinned" | "referenced" | "merged" | "undone", number>>;
}

/** What `removeGarbage` would remove now. Reads only. */
export async function findGarbage(
  deps: Pick<RunDeps, "store" | "clock">,
  namespace?: string,
): Promise<Garbage> {
  const snapshot = await deps.store.snapshot();
  const now = deps.clock.now();
  const referenced = referencedKeys(snapshot);
  const kept = { recent: 0, pinned: 0, referenced: 0, merged: 0, undone: 0 };
  const memories: Memory[] = [];
  for (const memory of snapshot.memories) {
    if (isLive(memory) || (namespace !== undefined && memory.namespace !== namespace)) continue;
    const why = whyKept(memory, { now, referenced });
    if (why === undefined) memories.push(memory);
    else kept[why] += 1;
  }
  memories.sort((a, b) => (a.archivedAt ?? 0) - (b.archivedAt ?? 0) || (a.id < b.id ? -1 : 1));
  const gone = new Set(memories.map(memoryKey));
  const relations = everyRelation(snapshot.relations).filter((relation) =>
    endsOf(relation).some((end) => gone.has(end)),
  );
  return { memories, relations, kept };
}

/**
 * Removes for good what was archived long ago and nothing refers to: the memories, their relations and uses. Only ever called because a
 * person asked. The journal keeps what runs did with them.
 * @throws SlowwaveError `busy` where a run is under way, `store_conflict` where something of it changed meanwhile.
 */
export async function removeGarbage(
  deps: Pick<RunDeps, "store" | "clock" | "system">,
  namespace?: string,
): Promise<Garbage> {
  const { lease } = await acquireRunLease(deps.store, deps.system);
  await using _held = lease;
  const garbage = await findGarbage(deps, namespace);
  await purge(garbage, deps.store);
  await deps.store.maintain(deps.clock.now());
  return garbage;
}

async function purge({ memories, relations }: Garbage, store: MemoryStore): Promise<void> {
  const images: RecordImage[] = [
    ...memories.map((value) => ({ record: "memory", value }) as const),
    ...relations.map((value) => ({ record: "relation", value }) as const),
  ];
  const result = await store.purge(images);
  if (result.ok) return;
  const ids = result.moved.map(({ value }) => value.id).join(", ");
  throw new SlowwaveError("store_conflict", `nothing was removed: ${ids} changed meanwhile`, {
    hint: "Look again, then repeat it.",
  });
}

function whyKept(
  memory: Memory,
  { now, referenced }: { readonly now: number; readonly referenced: ReadonlySet<string> },
): keyof Garbage["kept"] | undefined {
  if (!REMOVABLE.has(memory.archivedReason))
    return memory.archivedReason === "undone" ? "undone" : "merged";
  if (memory.archivedAt === undefined || memory.archivedAt > now - KEPT_DAYS * DAY_MS) {
    return "recent";
  }
  if (memory.pinned) return "pinned";
  return referenced.has(memoryKey(memory)) ? "referenced" : undefined;
}

/** Memories that a merge was made of, that took another's place, that a live one is related to, or that an open issue speaks of. */
function referencedKeys({ memories, relations, issues }: Snapshot): ReadonlySet<string> {
  const live = new Set(memories.filter(isLive).map(memoryKey));
  const named = [
    ...memories.flatMap(({ namespace, leaves, supersededBy }) =>
      keysIn(namespace, supersededBy === undefined ? leaves : [...leaves, supersededBy]),
    ),
    ...issues
      .filter(({ status }) => status !== "closed")
      .flatMap(({ namespace, notes }) => keysIn(namespace, notes.memoryIds)),
  ];
  const related = visibleRelations(relations)
    .map(endsOf)
    .filter((ends) => ends.some((end) => live.has(end)));
  return new Set([...named, ...related.flat()]);
}

function endsOf({ namespace, from, to }: Relation): readonly string[] {
  return keysIn(namespace, [from, to]);
}

function keysIn(namespace: string, ids: readonly string[]): readonly string[] {
  return ids.map((id) => memoryKey({ namespace, id }));
}
