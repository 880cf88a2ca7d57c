import { SlowwaveError } from "../model/errors.ts";
import {
  isLive,
  type Memory,
  type MemoryChanges,
  type MemoryKind,
  reviseMemory,
} from "../model/memory.ts";
import {
  type ActionParts,
  type ChangedMemory,
  changeMemory,
  findMemory,
  type MemoryRef,
} from "./change-memory.ts";
import { checkContent, cleanTags } from "./check-content.ts";
import { entitiesOf } from "./entities-of.ts";
import { recordUse } from "./record-use.ts";
import { restoredMemory } from "./remember.ts";

/** What a person may change by hand; what is not given stays. */
export interface EditInput {
  readonly content?: string;
  /** Instead of the present ones. */
  readonly tags?: readonly string[];
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  readonly entities?: readonly string[];
  readonly kind?: MemoryKind;
  readonly source?: string;
  readonly context?: string;
  readonly strength?: number;
}

/**
 * Changes a live memory. With a new content its entities are found anew, unless given.
 * @throws SlowwaveError `input` for a text that is empty, or an archived memory.
 */
export async function edit(
  parts: ActionParts,
  ref: MemoryRef,
  input: EditInput,
): Promise<ChangedMemory> {
  const content = input.content === undefined ? undefined : checkContent(input.content);
  return await changeMemory(parts, ref, (memory) => {
    refuseArchived(memory, "edit");
    return withChanges(memory, { ...input, ...(content === undefined ? {} : { content }) });
  });
}

/** Counts one use of a live memory. */
export async function touch(parts: ActionParts, ref: MemoryRef): Promise<Memory> {
  const memory = await findMemory(parts, ref);
  refuseArchived(memory, "touch");
  await recordUse(parts, { memory, kind: "touch", cause: "touch" });
  return memory;
}

/** A pinned memory is never archived by a run and never merged away. */
export async function setPinned(
  parts: ActionParts,
  ref: MemoryRef,
  pinned: boolean,
): Promise<ChangedMemory> {
  return await changeMemory(parts, ref, (memory) => {
    if (memory.pinned === pinned) return memory;
    refuseArchived(memory, "pin");
    return reviseMemory(memory, { pinned });
  });
}

/** Archives a memory because a person asked; `restore` brings it back. The next run moves its note to the archive. */
export async function forget(parts: ActionParts, ref: MemoryRef): Promise<ChangedMemory> {
  const archivedAt = parts.clock.now();
  return await changeMemory(parts, ref, (memory) =>
    isLive(memory)
      ? reviseMemory(memory, { status: "archived", archivedAt, archivedReason: "forgotten" })
      : memory,
  );
}

export interface RestoredMemory extends ChangedMemory {
  /** It had been merged: the merged memory, which goes on living beside it. */
  readonly mergedInto?: string;
}

/** Makes an archived memory live again. */
export async function restore(parts: ActionParts, ref: MemoryRef): Promise<RestoredMemory> {
  let mergedInto: string | undefined;
  const result = await changeMemory(parts, ref, (memory) => {
    mergedInto = memory.archivedReason === "merged" ? memory.supersededBy : undefined;
    return isLive(memory) ? memory : restoredMemory(memory);
  });
  return mergedInto === undefined ? result : { ...result, mergedInto };
}

function refuseArchived(memory: Memory, verb: string): void {
  if (isLive(memory)) return;
  const merged = memory.supersededBy;
  const why = merged ? `merged into ${merged}` : (memory.archivedReason ?? "archived");
  throw new SlowwaveError(
    "input",
    `memory ${JSON.stringify(memory.id)}: cannot ${verb} it, it is archived (${why})`,
    { hint: `Bring it back first: slowwave restore ${memory.id}` },
  );
}

function withChanges(memory: Memory, input: EditInput): Memory {
  const { addTags = [], removeTags = [], entities } = input;
  const removed = new Set(cleanTags(removeTags));
  const tags = cleanTags([...(input.tags ?? memory.tags), ...addTags]);
  const given: MemoryChanges = {
    content: input.content ?? memory.content,
    kind: input.kind ?? memory.kind,
    strength: input.strength ?? memory.strength,
    source: input.source ?? memory.source,
    context: input.context ?? memory.context,
    tags: tags.filter((tag) => !removed.has(tag)),
    entities: entities ? cleanTags(entities) : entitiesAfter(memory, input.content),
  };
  const changed = Object.entries(given).filter(
    // Comparing field by field of the same memory type.
    ([field, value]) => !isSame(value, memory[field as keyof Memory]),
  );
  return changed.length === 0 ? memory : reviseMemory(memory, Object.fromEntries(changed));
}

function entitiesAfter(memory: Memory, content: string | undefined): readonly string[] {
  if (content === undefined || content === memory.content) return memory.entities;
  const kept = memory.entities.filter((entity) => content.includes(entity));
  return cleanTags([...kept, ...entitiesOf(content)]);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
