import { SlowwaveError } from "../../model/errors.ts";
import { hashText } from "../../model/hash.ts";
import { isLive, type Memory } from "../../model/memory.ts";
import type { Use } from "../../model/use.ts";
import type { VectorMatrix } from "../../model/vector-matrix.ts";
import { checkPuts } from "../../ports/check-puts.ts";
import { checkUses } from "../../ports/check-value.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type {
  CommitResult,
  LeaseRequest,
  LeaseResult,
  MemoryStore,
  PurgeResult,
  PutConflict,
  RecordFilter,
  RecordKind,
  RecordPut,
  SearchCandidate,
  SearchQuery,
  Snapshot,
  StoredRecords,
} from "../../ports/memory-store.ts";
import { relationColumns } from "../../ports/relation-columns.ts";
import {
  compareById,
  compareByNamespace,
  compareNewest,
  compareUses,
  countFacts,
  createMatcher,
  filterFacts,
  isUndone,
  type RecordEntry,
  recordKey,
  standingOfImage,
  standingOfPut,
} from "../../ports/store-rules.ts";
import { bm25Scores } from "../../text/bm25.ts";

interface Shelf {
  readonly embedder: Embedder;
  readonly storeId: string;
  readonly records: Map<string, RecordEntry>;
  readonly uses: Map<string, Use>;
  readonly vectors: Map<string, Float32Array>;
  version: number;
  usesVersion: number;
  lease: LeaseRequest | undefined;
  closed: boolean;
}

/**
 * In-memory twin of a store: same contract, gone with the process. Values are copied on the way in and out, as a store on disk would.
 */
export function createMemoryStore({
  embedder,
  storeId = "memory-store",
}: {
  readonly embedder: Embedder;
  readonly storeId?: string;
}): MemoryStore {
  const shelf: Shelf = {
    embedder,
    storeId,
    records: new Map(),
    uses: new Map(),
    vectors: new Map(),
    version: 1,
    usesVersion: 1,
    lease: undefined,
    closed: false,
  };
  // `async` turns a refusal into a rejection, as callers of a real store see it.
  const open = (): Shelf => {
    if (!shelf.closed) return shelf;
    throw new SlowwaveError("store_unavailable", "this store was closed");
  };
  return {
    uri: "memory:",
    storeId,
    writable: true,
    snapshot: async () => takeSnapshot(open()),
    read: async (record, filter) => readRecords(open(), record, filter),
    readNewest: async (filter, { offset, limit }) => {
      const found = readRecords(open(), "memory", filter).sort(compareNewest);
      return { total: found.length, memories: found.slice(offset, offset + limit) };
    },
    count: async (record, filter) => {
      const values = readRecords(open(), record, filter).filter((value) => !isUndone(value));
      // Each value is of the kind that was asked for; taken apart, the compiler no longer sees that.
      return countFacts(values.map((value) => filterFacts({ record, value } as RecordEntry)));
    },
    readSteps: async (since) =>
      readRecords(open(), "journal", { since, state: ["applied"] }).map(
        ({ changes: _changes, ...steps }) => steps,
      ),
    readUses: async (filter) => readUses(open(), filter),
    search: async (query) => searchShelf(open(), query),
    commit: async (puts) => commitPuts(open(), puts),
    recordUses: async (uses) => addUses(open(), uses),
    purge: async (images) => purgeRecords(open(), images),
    // What is gone here is gone.
    dropHistory: async () => void open(),
    acquireLease: async (request) => acquireLease(open(), request),
    releaseLease: async (token) => {
      const held = open().lease?.token === token;
      if (held) shelf.lease = undefined;
      return held;
    },
    vectorState: async () => ({ embedder: open().embedder.id, stale: 0, others: new Map() }),
    // Vectors here are made when they are asked for, by the one embedder there is.
    reembed: async () => {
      open();
      return 0;
    },
    maintain: async () => ({ optimized: false, fragments: open().records.size, bytes: 0 }),
    verify: async () => {
      open();
      return [];
    },
    close: async () => {
      shelf.closed = true;
    },
  };
}

function takeSnapshot(shelf: Shelf): Snapshot {
  return {
    storeId: shelf.storeId,
    version: { records: shelf.version, uses: shelf.usesVersion },
    memories: readRecords(shelf, "memory"),
    relations: relationColumns(readRecords(shelf, "relation")),
    issues: readRecords(shelf, "issue").sort(compareById),
    uses: sortedUses(shelf, () => true),
    vectors: async (memories) => vectorsOf(shelf, memories),
  };
}

function readRecords<K extends RecordKind>(
  shelf: Shelf,
  record: K,
  filter: RecordFilter = {},
): StoredRecords[K][] {
  const matches = createMatcher(filter);
  return (
    [...shelf.records.values()]
      .filter((entry) => entry.record === record && matches(entry))
      // An entry whose record is K holds a StoredRecords[K]; the compiler does not carry that through `filter`.
      .map((entry) => structuredClone(entry.value) as StoredRecords[K])
      .sort(compareByNamespace)
  );
}

function readUses(
  shelf: Shelf,
  filter: { readonly namespace: string; readonly memoryIds?: readonly string[] },
): readonly Use[] {
  const ids = filter.memoryIds && new Set(filter.memoryIds);
  return sortedUses(
    shelf,
    (use) => use.namespace === filter.namespace && (ids === undefined || ids.has(use.memoryId)),
  );
}

function sortedUses(shelf: Shelf, keep: (use: Use) => boolean): readonly Use[] {
  return [...shelf.uses.values()].filter(keep).sort(compareUses);
}

async function vectorsOf(shelf: Shelf, memories: readonly Memory[]): Promise<VectorMatrix> {
  const { dimensions } = shelf.embedder;
  const vectors = await embedAll(
    shelf,
    memories.map((memory) => memory.content),
  );
  const data = new Float32Array(memories.length * dimensions);
  for (const [row, vector] of vectors.entries()) data.set(vector, row * dimensions);
  return { rows: memories.length, dimensions, data };
}

async function embedAll(shelf: Shelf, texts: readonly string[]): Promise<readonly Float32Array[]> {
  const fresh = [...new Set(texts)].filter((text) => !shelf.vectors.has(hashText(text)));
  const vectors = await shelf.embedder.embed(fresh);
  for (const [index, text] of fresh.entries()) {
    const vector = vectors[index];
    if (vector) shelf.vectors.set(hashText(text), vector);
  }
  return texts.map((text) => shelf.vectors.get(hashText(text)) ?? new Float32Array());
}

async function searchShelf(shelf: Shelf, query: SearchQuery): Promise<readonly SearchCandidate[]> {
  const memories = readRecords(shelf, "memory", { namespace: query.namespace }).filter(isLive);
  const texts = memories.map((memory) => memory.content);
  const [asked = new Float32Array(), ...vectors] = await embedAll(shelf, [query.text, ...texts]);
  const textScores = bm25Scores(query.text, texts);
  const candidates = memories.map((memory, index) => ({
    memory,
    cosine: dot(asked, vectors[index] ?? asked),
    textScore: textScores[index] ?? 0,
  }));
  const count = query.candidates ?? 100;
  const near = candidates.filter(({ cosine }) => cosine !== 0).sort((a, b) => b.cosine - a.cosine);
  const worded = candidates
    .filter(({ textScore }) => textScore > 0)
    .sort((a, b) => b.textScore - a.textScore);
  return [...new Set([...near.slice(0, count), ...worded.slice(0, count)])];
}

/** Of unit vectors, the cosine; 0 where either is the zero vector. */
function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

function commitPuts(shelf: Shelf, puts: readonly RecordPut[]): CommitResult {
  checkPuts(puts);
  const conflicts: PutConflict[] = [];
  const writes = new Map<string, RecordEntry>();
  for (const put of puts) {
    const key = recordKey(put.record, put.after);
    const found = shelf.records.get(key)?.value ?? null;
    const standing = standingOfPut(put, found);
    if (standing === "conflict") conflicts.push({ put, found: structuredClone(found) });
    // The put ties `record` to the type of `after`; spreading them apart loses that for the compiler.
    const entry = { record: put.record, value: structuredClone(put.after) } as RecordEntry;
    if (standing === "to write") writes.set(key, entry);
  }
  if (conflicts.length > 0) return { ok: false, conflicts };
  for (const [key, entry] of writes) shelf.records.set(key, entry);
  if (writes.size > 0) shelf.version += 1;
  return { ok: true, version: shelf.version };
}

function purgeRecords(shelf: Shelf, images: readonly RecordEntry[]): PurgeResult {
  const keyOf = ({ record, value }: RecordEntry): string => recordKey(record, value);
  const moved = images.filter(
    (image) =>
      standingOfImage(image.value, shelf.records.get(keyOf(image))?.value ?? null) === "moved",
  );
  if (moved.length > 0) return { ok: false, moved };
  if (images.length > 0) shelf.version += 1;
  for (const image of images) shelf.records.delete(keyOf(image));
  const gone = new Set(images.flatMap((image) => (image.record === "memory" ? keyOf(image) : [])));
  for (const { id, namespace, memoryId } of shelf.uses.values()) {
    if (gone.has(JSON.stringify(["memory", namespace, memoryId]))) shelf.uses.delete(id);
  }
  return { ok: true };
}

async function addUses(shelf: Shelf, uses: readonly Use[]): Promise<void> {
  await checkUses(uses);
  const fresh = uses.filter((use) => !shelf.uses.has(use.id));
  for (const use of fresh) shelf.uses.set(use.id, { ...use });
  if (fresh.length > 0) shelf.usesVersion += 1;
}

function acquireLease(shelf: Shelf, request: LeaseRequest): LeaseResult {
  const { lease } = shelf;
  const isOthers = lease && lease.token !== request.token && lease.holder !== request.takeOverFrom;
  if (lease && isOthers && lease.until > request.now) {
    return { ok: false, holder: lease.holder, until: lease.until };
  }
  shelf.lease = { ...request };
  return lease === undefined || lease.token === request.token
    ? { ok: true }
    : { ok: true, replaced: { holder: lease.holder, until: lease.until } };
}
