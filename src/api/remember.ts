import { hashOf } from "../model/hash.ts";
import {
  DEFAULT_NAMESPACE,
  isLive,
  type Memory,
  type MemoryKind,
  reviseMemory,
} from "../model/memory.ts";
import { normalizeText } from "../text/normalize.ts";
import { type ActionParts, putMemory, retryWhenMoved } from "./change-memory.ts";
import { checkContent, cleanTags } from "./check-content.ts";
import { entitiesOf } from "./entities-of.ts";
import { recordUse } from "./record-use.ts";

export interface RememberInput {
  readonly text: string;
  readonly tags?: readonly string[];
  /** @default "semantic" */
  readonly kind?: MemoryKind;
  /** @default the configuration's, else `default` */
  readonly namespace?: string;
  /** Found in the text where not given. */
  readonly entities?: readonly string[];
  readonly source?: string;
  readonly context?: string;
  /** 0 to 2. @default 1 */
  readonly strength?: number;
}

/**
 * `added`: it is new. `reinforced`: the namespace knew this text, and this counts as a use of it. `restored`: it was archived, and lives
 * again, used now.
 */
export interface RememberResult {
  readonly outcome: "added" | "reinforced" | "restored";
  /** As it stands now; for a text that was merged, the merged memory. */
  readonly memory: Memory;
}

/**
 * Stores a text. Its id follows from namespace and text, so that the same text is recognised, also when told by two processes at once.
 * @throws SlowwaveError `input` for a text that is empty or not text.
 */
export async function remember(parts: ActionParts, input: RememberInput): Promise<RememberResult> {
  const namespace = input.namespace ?? parts.config.namespace ?? DEFAULT_NAMESPACE;
  const told = { ...input, text: checkContent(input.text), namespace };
  return await retryWhenMoved("to be remembered", async () => {
    const { id, known } = await findKnown(parts, namespace, told.text);
    if (known === undefined) {
      const memory = newMemory(id, told, parts.clock.now());
      return (await putMemory(parts.store, null, memory))
        ? { outcome: "added", memory }
        : undefined;
    }
    if (isLive(known)) return await reinforce(parts, known);
    const memory = restoredMemory(known);
    if (!(await putMemory(parts.store, known, memory))) return undefined;
    return { ...(await reinforce(parts, memory)), outcome: "restored" };
  });
}

/** The memory, live again, with what archiving added taken away; a promoted one is promoted again, as its note still stands. */
export function restoredMemory(memory: Memory): Memory {
  return reviseMemory(memory, {
    status: memory.vaultPath === undefined ? "active" : "promoted",
    archivedAt: undefined,
    archivedReason: undefined,
    supersededBy: undefined,
  });
}

async function reinforce(parts: ActionParts, memory: Memory): Promise<RememberResult> {
  await recordUse(parts, { memory, kind: "touch", cause: "remember" });
  return { outcome: "reinforced", memory };
}

/** The memory that holds this text, and the id that the text has, or is to get. */
async function findKnown(
  parts: ActionParts,
  namespace: string,
  text: string,
): Promise<{ readonly id: string; readonly known: Memory | undefined }> {
  const form = normalizeText(text);
  const { id, known } = await probeIds(parts, namespace, form);
  if (known) return { id, known };
  // One that an import brought has an id of its own making: an exact copy ranks first in any search.
  const candidates = await parts.store.search({ namespace, text });
  const copy = candidates.find(({ memory }) => normalizeText(memory.content) === form);
  return { id, known: copy?.memory };
}

/**
 * An edited memory keeps the id of its first text, so the id of a text may be taken by another: then the next one is tried. So it is where
 * the text was superseded: what is so again is so in a new period.
 */
async function probeIds(parts: ActionParts, namespace: string, form: string) {
  for (let attempt = 0; ; attempt += 1) {
    const id = `mem-${hashOf(attempt === 0 ? [namespace, form] : [namespace, form, attempt], 16)}`;
    // In turn: the next id matters only where this one is taken.
    const [holder] = await parts.store.read("memory", { namespace, ids: [id] });
    if (!holder) return { id, known: undefined };
    if (normalizeText(holder.content) !== form) continue;
    const known = await standIn(parts, holder);
    if (known.archivedReason !== "superseded") return { id, known };
  }
}

/** For a source of a merge, the merged memory in its place, if that lives or was superseded. */
async function standIn(parts: ActionParts, memory: Memory): Promise<Memory> {
  let current = memory;
  const seen = new Set([memory.id]);
  while (
    current.archivedReason === "merged" &&
    current.supersededBy &&
    !seen.has(current.supersededBy)
  ) {
    seen.add(current.supersededBy);
    const { namespace, supersededBy } = current;
    // In turn: each one names the next.
    const [next] = await parts.store.read("memory", { namespace, ids: [supersededBy] });
    if (!next) break;
    current = next;
  }
  return isLive(current) || current.archivedReason === "superseded" ? current : memory;
}

function newMemory(
  id: string,
  told: RememberInput & { readonly namespace: string },
  now: number,
): Memory {
  return {
    id,
    namespace: told.namespace,
    kind: told.kind ?? "semantic",
    content: told.text,
    tags: cleanTags(told.tags ?? []),
    entities: told.entities ? cleanTags(told.entities) : entitiesOf(told.text),
    ...(told.source === undefined ? {} : { source: told.source }),
    ...(told.context === undefined ? {} : { context: told.context }),
    extra: {},
    createdAt: now,
    baseUseCount: 0,
    reviewCount: 0,
    strength: told.strength ?? 1,
    pinned: false,
    disputed: false,
    status: "active",
    leaves: [],
    provenance: [],
    revision: 1,
  };
}
