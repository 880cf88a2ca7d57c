import { hashOf } from "../model/hash.ts";
import { type Memory, memoryKey } from "../model/memory.ts";
import type { RecordPut } from "../ports/memory-store.ts";
import {
  type Decision,
  decideMemory,
  decideTombstone,
  type Standing,
  type TombstoneDecision,
} from "./decide-memory.ts";
import { foldUse, groupUses, type UsesByMemory } from "./fold-use.ts";
import { groupBy } from "./group-by.ts";
import { commitDecided, type ImportSession, itemKey } from "./import-session.ts";
import type { IncomingMemory, IntakeItem, Origin } from "./incoming.ts";
import type { CurrentItem } from "./log-index.ts";

const BATCH_RECORDS = 5000;
/** Bounds what is held at once where memories are long. */
const BATCH_CHARACTERS = 16_000_000;

type MemoryItem = Extract<IntakeItem, { readonly kind: "memory" }>;
type TombstoneItem = Extract<IntakeItem, { readonly kind: "tombstone" }>;
type Entry = MemoryItem | TombstoneItem;

/** Takes in memories and their tombstones, batch by batch. */
export async function loadMemories(
  session: ImportSession,
  items: AsyncIterable<CurrentItem>,
): Promise<void> {
  const repeats = createRepeatCheck(session);
  const commitBatch = createBatchCommit(session);
  let batch: Entry[] = [];
  let characters = 0;
  for await (const { item, isReplaced } of items) {
    const entry = await sortOut(session, item, isReplaced);
    if (entry === undefined || (await repeats.isRepeat(entry))) continue;
    batch.push(entry);
    characters += entry.kind === "memory" ? entry.memory.content.length : 0;
    if (batch.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue;
    await commitBatch(batch);
    batch = [];
    characters = 0;
  }
  await commitBatch(batch);
}

/** Counts an item; returns it where it is a memory's and still counts. */
async function sortOut(
  session: ImportSession,
  item: IntakeItem,
  isReplaced: boolean,
): Promise<Entry | undefined> {
  const { tally } = session;
  if (item.kind === "relation" || item.kind === "dropped") return undefined;
  if (item.kind === "tombstone" && item.of === "relation") return undefined;
  tally.read += 1;
  if (item.kind === "bad") {
    await setAside(session, item.origin, item.reason);
    return undefined;
  }
  if (!isReplaced) return item;
  tally.replaced += 1;
  return undefined;
}

async function setAside(session: ImportSession, origin: Origin, reason: string): Promise<void> {
  await session.quarantine.add(origin, reason);
  session.tally.quarantined += 1;
}

/**
 * In a file that is no log nobody can say which of two records with one id is right: the first is taken, and another one set aside unless
 * it says the same.
 */
function createRepeatCheck(session: ImportSession) {
  const seen = new Map<string, { readonly hash: string; readonly line: number }>();
  return {
    async isRepeat(entry: Entry): Promise<boolean> {
      if (session.reader.isLog) return false;
      const key = itemKey(entry, session.namespace) ?? "";
      const hash = entry.kind === "memory" ? recordHash(entry.memory) : "deleted";
      const first = seen.get(key);
      if (first === undefined) {
        seen.set(key, { hash, line: entry.origin.line });
        return false;
      }
      if (first.hash === hash) session.tally.unchanged += 1;
      else await setAside(session, entry.origin, repeatReason(entry, first.line));
      return true;
    },
  };
}

function recordHash(memory: IncomingMemory): string {
  // What is undefined is left out of the hash.
  return hashOf({ ...memory, storedExtra: undefined, fallbackCreatedAt: undefined }, 16);
}

function repeatReason(entry: Entry, line: number): string {
  const id = entry.kind === "memory" ? entry.memory.id : entry.id;
  return `the id ${id} is taken by another record of the file (line ${line})`;
}

interface Decided {
  readonly entry: Entry;
  readonly decision: Decision | TombstoneDecision;
}

function createBatchCommit(session: ImportSession) {
  let isAllNew = false;
  return async (batch: readonly Entry[]): Promise<void> => {
    if (batch.length === 0) return;
    // After a batch of which nothing stood in the store, the next is decided without asking, which takes a pass over the store. Where
    // that was wrong the commit is refused, and the batch decided again on what stands there.
    let isTakenAsNew = isAllNew;
    const decided = await commitDecided(session.store, async () => {
      const standings = isTakenAsNew ? newStandings() : await readStandings(session, batch);
      isTakenAsNew = false;
      const outcome = decideBatch(session, batch, standings);
      return { puts: outcome.flatMap(({ decision }) => putOf(decision)), outcome };
    });
    isAllNew = decided.every(({ decision }) => decision.kind === "add");
    await tellBatch(session, decided);
  };
}

async function tellBatch(session: ImportSession, decided: readonly Decided[]): Promise<void> {
  for (const { entry, decision } of decided) {
    if (decision.kind === "conflict") await setAside(session, entry.origin, decision.reason);
    else count(session, entry, decision);
  }
  const added = decided.flatMap(({ entry, decision }) =>
    entry.kind === "memory" && decision.kind === "add" ? [decision.after] : [],
  );
  if (added.length > 0) await session.onAdded?.(added);
  session.progress?.advance("import", session.tally.read);
}

function putOf(decision: Decision | TombstoneDecision): readonly RecordPut[] {
  switch (decision.kind) {
    case "add":
      return [{ record: "memory", before: null, after: decision.after }];
    case "update":
      return [{ record: "memory", before: decision.before, after: decision.after }];
    case "unchanged":
    case "conflict":
      return [];
  }
}

function count(
  { tally }: ImportSession,
  entry: Entry,
  decision: Exclude<Decision | TombstoneDecision, { readonly kind: "conflict" }>,
): void {
  if ("isFlagged" in decision && decision.isFlagged) tally.flagged += 1;
  switch (decision.kind) {
    case "add":
      // A remembered deletion adds no memory.
      if (entry.kind === "memory") tally.added += 1;
      else tally.unchanged += 1;
      return;
    case "update":
      tally.updated += 1;
      return;
    case "unchanged":
      tally.unchanged += 1;
      return;
  }
}

function decideBatch(
  session: ImportSession,
  batch: readonly Entry[],
  standings: Standings,
): readonly Decided[] {
  const { context } = session;
  return batch.map((entry) => {
    const standing = standings(placeOf(session, entry));
    const decision =
      entry.kind === "memory"
        ? decideMemory(entry.memory, standing, context)
        : decideTombstone(entry.id, standing, context);
    return { entry, decision };
  });
}

interface Place {
  readonly namespace: string;
  readonly id: string;
}

function placeOf({ namespace }: ImportSession, entry: Entry): Place {
  const { id, namespace: own = namespace } = entry.kind === "memory" ? entry.memory : entry;
  return { namespace: own, id };
}

type Standings = (place: Place) => Standing;

/** Of a batch of which nothing stands in the store. */
function newStandings(): Standings {
  return ({ namespace }) => ({ namespace, existing: undefined, use: { useCount: 0 } });
}

/** What stands in the store for a batch, with how much it was used. */
async function readStandings(session: ImportSession, batch: readonly Entry[]): Promise<Standings> {
  const { store, context } = session;
  const existing = new Map<string, Memory>();
  let uses: UsesByMemory = new Map();
  const places = groupBy(
    batch.map((entry) => placeOf(session, entry)),
    ({ namespace }) => namespace,
  );
  for (const [namespace, inNamespace] of places) {
    const ids = inNamespace.map(({ id }) => id);
    const found = await store.read("memory", { namespace, ids });
    for (const memory of found) existing.set(memoryKey(memory), memory);
    const memoryIds = found.map(({ id }) => id);
    if (memoryIds.length === 0) continue;
    const events = await store.readUses({ namespace, memoryIds });
    uses = new Map([...uses, ...groupUses(events, context.now)]);
  }
  return (place) => {
    const memory = existing.get(memoryKey(place));
    const use = memory === undefined ? { useCount: 0 } : foldUse([memory], uses);
    return { namespace: place.namespace, existing: memory, use };
  };
}
