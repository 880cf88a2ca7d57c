import { SlowwaveError } from "../model/errors.ts";
import type { Memory } from "../model/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { Parts } from "../wire.ts";

/** What the actions by hand need of the parts. */
export type ActionParts = Pick<Parts, "store" | "clock" | "config">;

/** An id, and the namespace where the id alone is not enough. */
export interface MemoryRef {
  readonly id: string;
  /** @default the configuration's, else every namespace is searched */
  readonly namespace?: string | undefined;
}

/**
 * The memory of this id, archived or not; one that an undone run had made does not exist any more.
 * @throws SlowwaveError `not_found`; `input` where several namespaces have one and none was named.
 */
export async function findMemory(parts: ActionParts, ref: MemoryRef): Promise<Memory> {
  const namespace = ref.namespace ?? parts.config.namespace;
  const found = await parts.store.read("memory", {
    ids: [ref.id],
    ...(namespace === undefined ? {} : { namespace }),
  });
  const visible = found.filter((memory) => memory.archivedReason !== "undone");
  const [memory] = visible;
  if (visible.length > 1) throw ambiguous(ref.id, visible);
  if (memory) return memory;
  const where = namespace === undefined ? "" : ` in namespace ${JSON.stringify(namespace)}`;
  throw new SlowwaveError("not_found", `memory ${JSON.stringify(ref.id)}: there is none${where}`, {
    hint: "`slowwave list --all` shows every id.",
  });
}

function ambiguous(id: string, found: readonly Memory[]): SlowwaveError {
  const namespaces = found.map((memory) => memory.namespace).join(", ");
  return new SlowwaveError(
    "input",
    `memory ${JSON.stringify(id)}: ${found.length} namespaces have one with this id (${namespaces})`,
    { hint: "Say which one with --namespace." },
  );
}

export interface ChangedMemory {
  readonly memory: Memory;
  /** False: it was so already. */
  readonly changed: boolean;
}

/** Decides upon the memory as it stands and writes that; decides anew where it moved in between. A step returns its argument for "no change". */
export async function changeMemory(
  parts: ActionParts,
  ref: MemoryRef,
  step: (memory: Memory) => Memory,
): Promise<ChangedMemory> {
  return await retryWhenMoved(ref.id, async () => {
    const before = await findMemory(parts, ref);
    const after = step(before);
    if (after === before) return { memory: before, changed: false };
    return (await putMemory(parts.store, before, after))
      ? { memory: after, changed: true }
      : undefined;
  });
}

/** False: the record is no longer `before`. */
export async function putMemory(
  store: MemoryStore,
  before: Memory | null,
  after: Memory,
): Promise<boolean> {
  return (await store.commit([{ record: "memory", before, after }])).ok;
}

const ATTEMPTS = 20;

export async function retryWhenMoved<T>(
  id: string,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count += 1) {
    // In turn: each attempt reads what made the one before fail.
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new SlowwaveError("store_conflict", `memory ${id}: still being changed by others`, {
    hint: "Try again in a moment.",
  });
}
