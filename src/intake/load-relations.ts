import { DAY_MS } from "../model/instant.ts";
import { canonicalJson } from "../model/json.ts";
import { type Memory, memoryKey } from "../model/memory.ts";
import { type Relation, relationId } from "../model/relation.ts";
import type { RecordPut } from "../ports/memory-store.ts";
import { isBuried } from "./decide-memory.ts";
import { groupBy } from "./group-by.ts";
import { commitDecided, type ImportSession } from "./import-session.ts";
import type { IncomingRelation, IntakeItem, Origin } from "./incoming.ts";
import type { CurrentItem } from "./log-index.ts";

const BATCH_RECORDS = 5000;

/** A relation of the file, or the deletion of one, with its place. */
interface Entry {
  readonly origin: Origin;
  readonly namespace: string;
  readonly id: string;
  /** Absent: deleted. */
  readonly incoming?: IncomingRelation;
}

type Decision =
  | { readonly kind: "added" | "updated" | "removed"; readonly put: RecordPut }
  | { readonly kind: "unchanged" }
  | { readonly kind: "dropped"; readonly reason: string };

/** Takes in relations, once all memories are in: both ends must be there. */
export async function loadRelations(
  session: ImportSession,
  items: AsyncIterable<CurrentItem>,
): Promise<void> {
  const seen = new Set<string>();
  let batch: Entry[] = [];
  for await (const { item, isReplaced } of items) {
    if (isReplaced) continue;
    if (item.kind === "dropped") await drop(session, item.origin, item.reason);
    const entry = entryOf(session, item);
    if (entry === undefined) continue;
    if (isRepeat(entry, seen)) session.tally.relations.unchanged += 1;
    else batch.push(entry);
    if (batch.length < BATCH_RECORDS) continue;
    await commitBatch(session, batch);
    batch = [];
  }
  await commitBatch(session, batch);
}

function entryOf({ namespace, context }: ImportSession, item: IntakeItem): Entry | undefined {
  if (item.kind === "tombstone" && item.of === "relation") {
    return { origin: item.origin, namespace: item.namespace ?? namespace, id: item.id };
  }
  if (item.kind !== "relation") return undefined;
  const { origin } = item;
  const incoming = withoutFutureTime(item.relation, context.now);
  const { from, to, type, namespace: own = namespace } = incoming;
  const id = incoming.id ?? relationId({ namespace: own, from, to, type });
  return { origin, namespace: own, id, incoming };
}

function withoutFutureTime(relation: IncomingRelation, now: number): IncomingRelation {
  const { createdAt, ...others } = relation;
  return createdAt !== undefined && createdAt > now + DAY_MS ? others : relation;
}

/** The same link twice, under one id or two, is one relation. */
function isRepeat({ namespace, id, incoming }: Entry, seen: Set<string>): boolean {
  const keys = [`id ${memoryKey({ namespace, id })}`];
  if (incoming !== undefined) keys.push(linkKey({ ...incoming, namespace }));
  const isKnown = keys.some((key) => seen.has(key));
  for (const key of keys) seen.add(key);
  return isKnown;
}

function linkKey(link: Pick<Relation, "namespace" | "from" | "to" | "type">): string {
  return JSON.stringify([link.namespace, link.from, link.to, link.type]);
}

async function drop(session: ImportSession, origin: Origin, reason: string): Promise<void> {
  await session.quarantine.add(origin, `relation dropped: ${reason}`);
  session.tally.relations.dropped += 1;
}

async function commitBatch(session: ImportSession, batch: readonly Entry[]): Promise<void> {
  if (batch.length === 0) return;
  const decisions = await commitDecided(session.store, async () => {
    const known = await readKnown(session, batch);
    const outcome = batch.map((entry) => ({ entry, decision: decide(entry, known, session) }));
    return {
      puts: outcome.flatMap(({ decision }) => ("put" in decision ? [decision.put] : [])),
      outcome,
    };
  });
  for (const { entry, decision } of decisions) {
    if (decision.kind === "dropped") await drop(session, entry.origin, decision.reason);
    else session.tally.relations[decision.kind] += 1;
  }
}

interface Known {
  readonly memories: ReadonlyMap<string, Memory>;
  readonly byId: ReadonlyMap<string, Relation>;
  readonly byLink: ReadonlyMap<string, Relation>;
}

async function readKnown({ store }: ImportSession, batch: readonly Entry[]): Promise<Known> {
  const memories = new Map<string, Memory>();
  const byId = new Map<string, Relation>();
  const byLink = new Map<string, Relation>();
  for (const [namespace, entries] of groupBy(batch, (entry) => entry.namespace)) {
    const ends = entries.flatMap(({ incoming }) => (incoming ? [incoming.from, incoming.to] : []));
    const ids = [...new Set(ends)];
    const found = await store.read("memory", { namespace, ids });
    for (const memory of found) memories.set(memoryKey(memory), memory);
    const named = await store.read("relation", { namespace, ids: entries.map(({ id }) => id) });
    for (const relation of named) byId.set(memoryKey(relation), relation);
    for (const relation of await store.read("relation", { namespace, touching: ids })) {
      if (!relation.undone) byLink.set(linkKey(relation), relation);
    }
  }
  return { memories, byId, byLink };
}

function decide(entry: Entry, known: Known, { context }: ImportSession): Decision {
  const { namespace, id, incoming } = entry;
  const existing = known.byId.get(memoryKey({ namespace, id }));
  if (incoming === undefined) return decideRemoval(existing);
  const ends = [incoming.from, incoming.to].map((end) => ({
    end,
    memory: known.memories.get(memoryKey({ namespace, id: end })),
  }));
  const missing = ends.find(({ memory }) => memory === undefined);
  if (missing) return { kind: "dropped", reason: `no memory ${missing.end} in file or store` };
  // What was forgotten takes its relations along: that is no fault of the file.
  if (ends.some(({ memory }) => memory !== undefined && isBuried(memory))) {
    return { kind: "unchanged" };
  }
  if (existing?.undone) return { kind: "unchanged" };
  if (existing === undefined) {
    if (known.byLink.has(linkKey({ ...incoming, namespace }))) return { kind: "unchanged" };
    const after = relationOf(entry, incoming, context.now);
    return { kind: "added", put: { record: "relation", before: null, after } };
  }
  const after = updateRelation(existing, incoming);
  return canonicalJson({ ...after, revision: existing.revision }) === canonicalJson(existing)
    ? { kind: "unchanged" }
    : { kind: "updated", put: { record: "relation", before: existing, after } };
}

/** A relation is never deleted: undone, nobody sees it, and an older file does not bring it back. */
function decideRemoval(existing: Relation | undefined): Decision {
  if (existing === undefined || existing.undone) return { kind: "unchanged" };
  const after: Relation = { ...existing, undone: true, revision: existing.revision + 1 };
  return { kind: "removed", put: { record: "relation", before: existing, after } };
}

function relationOf({ id, namespace }: Entry, incoming: IncomingRelation, now: number): Relation {
  const { from, to, type, strength = 1, reason, metadata = {}, createdAt = now } = incoming;
  const relation = { id, namespace, from, to, type, strength, metadata, revision: 1 };
  const made = { ...relation, createdAt };
  return reason === undefined ? made : { ...made, reason };
}

/** What the file does not state stays. */
function updateRelation(existing: Relation, incoming: IncomingRelation): Relation {
  const { id: _id, namespace: _namespace, ...stated } = incoming;
  return { ...existing, ...stated, revision: existing.revision + 1 };
}
