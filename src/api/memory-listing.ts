import type { Instant } from "../model/instant.ts";
import type { Issue, IssueStatus } from "../model/issue.ts";
import { type Memory, type MemoryKind, type MemoryStatus, memoryKey } from "../model/memory.ts";
import type { Relation } from "../model/relation.ts";
import type { Usage } from "../model/use.ts";
import type { RecordCount } from "../ports/memory-store.ts";
import { compareNewest } from "../ports/store-rules.ts";
import { createUsageIndex } from "../scheduler/usage-index.ts";
import { type ActionParts, findMemory, type MemoryRef } from "./change-memory.ts";

export interface ListInput {
  /** @default the configuration's, else every namespace */
  readonly namespace?: string;
  /** @default active and promoted */
  readonly status?: readonly MemoryStatus[];
  readonly kind?: MemoryKind;
  readonly tag?: string;
  /** Created at or after. */
  readonly since?: Instant;
  /** @default all */
  readonly limit?: number;
  /** How many to leave out first. @default 0 */
  readonly offset?: number;
}

/** A memory with how much it was used. */
export interface ListedMemory {
  readonly memory: Memory;
  readonly usage: Usage;
}

/** Matching memories, newest first, then by id; `total` counts them all, whatever the limit. */
export async function listMemories(
  parts: ActionParts,
  { status = ["active", "promoted"], offset = 0, limit, tag, ...input }: ListInput = {},
): Promise<{ readonly total: number; readonly memories: readonly ListedMemory[] }> {
  const filter = { ...input, status };
  // What no condition of the store can tell: tags, and what an undone run had made, which is archived.
  if (limit !== undefined && tag === undefined && !status.includes("archived")) {
    const page = await parts.store.readNewest(filterOf(parts, filter), { offset, limit });
    return { total: page.total, memories: await withUsage(parts, page.memories) };
  }
  const all = await readMemories(parts, filter);
  const matching = all.filter(({ tags }) => tag === undefined || tags.includes(tag));
  matching.sort(compareNewest);
  const page = matching.slice(offset, limit === undefined ? undefined : offset + limit);
  return { total: matching.length, memories: await withUsage(parts, page) };
}

async function readMemories(parts: ActionParts, input: ListInput): Promise<Memory[]> {
  const memories = await parts.store.read("memory", filterOf(parts, input));
  return memories.filter((memory) => memory.archivedReason !== "undone");
}

function filterOf(
  { config }: ActionParts,
  { namespace = config.namespace, status, kind, since }: ListInput,
) {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind: [kind] }),
    ...(since === undefined ? {} : { since }),
  };
}

export interface ShownMemory extends ListedMemory {
  readonly relations: readonly Relation[];
  readonly issues: readonly Issue[];
}

/** One memory with all that speaks of it. */
export async function showMemory(parts: ActionParts, ref: MemoryRef): Promise<ShownMemory> {
  const memory = await findMemory(parts, ref);
  const { namespace, id } = memory;
  const relations = await parts.store.read("relation", { namespace, touching: [id] });
  const issues = await parts.store.read("issue", { namespace });
  return {
    memory,
    usage: await usageOf(parts, memory),
    relations: relations.filter((relation) => !relation.undone),
    issues: issues.filter((issue) => !issue.undone && issue.notes.memoryIds.includes(id)),
  };
}

export async function usageOf(parts: ActionParts, memory: Memory): Promise<Usage> {
  const [listed] = await withUsage(parts, [memory]);
  return listed?.usage ?? { useCount: 0, eventTimes: [], baseUseCount: 0 };
}

/** Beyond this many ids a filter costs more than reading a namespace whole. */
const FILTER_LIMIT = 500;

async function withUsage(
  parts: ActionParts,
  memories: readonly Memory[],
): Promise<readonly ListedMemory[]> {
  const listed = new Map<string, Usage>();
  for (const namespace of new Set(memories.map((memory) => memory.namespace))) {
    const members = memories.filter((memory) => memory.namespace === namespace);
    // In turn: a store answers one question at a time, and namespaces are few.
    for (const { memory, usage } of await usagesIn(parts, namespace, members)) {
      listed.set(memoryKey(memory), usage);
    }
  }
  return memories.flatMap((memory) => {
    const usage = listed.get(memoryKey(memory));
    return usage ? [{ memory, usage }] : [];
  });
}

async function usagesIn(
  { store, clock }: ActionParts,
  namespace: string,
  members: readonly Memory[],
): Promise<readonly ListedMemory[]> {
  const leafIds = members.flatMap((memory) => memory.leaves);
  const ids = [...new Set([...members.map((memory) => memory.id), ...leafIds])];
  const few = ids.length <= FILTER_LIMIT;
  const uses = await store.readUses({ namespace, ...(few ? { memoryIds: ids } : {}) });
  const leaves =
    leafIds.length === 0
      ? []
      : await store.read("memory", { namespace, ...(few ? { ids: leafIds } : {}) });
  const byId = new Map(leaves.map((leaf) => [leaf.id, leaf]));
  const index = createUsageIndex(uses, clock.now());
  return members.map((memory) => ({ memory, usage: index.of(memory, (id) => byId.get(id)) }));
}

export interface StoreStats {
  readonly memories: Readonly<Record<MemoryStatus, number>>;
  readonly relations: number;
  readonly issues: Readonly<Record<IssueStatus, number>>;
  readonly uses: number;
  readonly namespaces: Readonly<Record<string, number>>;
}

/** Counts of everything visible; `namespaces` counts live memories. */
export async function stats(
  parts: ActionParts,
  input: { readonly namespace?: string } = {},
): Promise<StoreStats> {
  const namespace = input.namespace ?? parts.config.namespace;
  const filter = namespace === undefined ? {} : { namespace };
  const memories = await parts.store.count("memory", filter);
  const relations = await parts.store.count("relation", filter);
  const issues = await parts.store.count("issue", filter);
  const live = memories.filter(({ status }) => status !== "archived");
  let uses = 0;
  for (const name of new Set(memories.map((count) => count.namespace))) {
    // In turn: as above.
    uses += (await parts.store.readUses({ namespace: name })).length;
  }
  const having = (counts: readonly RecordCount[], wanted: RecordCount["status"]) =>
    sum(counts.filter(({ status }) => status === wanted));
  return {
    memories: {
      active: having(memories, "active"),
      promoted: having(memories, "promoted"),
      archived: having(memories, "archived"),
    },
    relations: sum(relations),
    issues: {
      open: having(issues, "open"),
      in_progress: having(issues, "in_progress"),
      blocked: having(issues, "blocked"),
      closed: having(issues, "closed"),
    },
    uses,
    namespaces: Object.fromEntries(
      live.map(({ namespace: name }) => [name, sum(live.filter((it) => it.namespace === name))]),
    ),
  };
}

function sum(counts: readonly RecordCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
