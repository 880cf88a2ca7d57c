import { hashOf } from "../../model/hash.ts";
import { type Memory, reviseMemory } from "../../model/memory.ts";
import type { View } from "../../ports/view.ts";
import { entityKey } from "../../text/entities/entity-key.ts";
import { foldCase } from "../../text/normalize.ts";
import { mergedHashOf, ownLeafId } from "../leaves.ts";
import type { MergeSources } from "./merge-sources.ts";
import { foldedBase } from "./merged-usage.ts";

export interface MergedRecords {
  /** The merged memory: a new one, or the survivor's next revision. */
  readonly merged: Memory;
  /** The survivor's earlier content as an archived original; absent where no survivor's words are among the leaves. */
  readonly ownLeaf: Memory | undefined;
  /** Ids of the originals, sorted. */
  readonly leafIds: readonly string[];
}

/** The records that a merge makes, from the originals alone: the same originals always give the same memory. */
export function mergedRecords(
  from: MergeSources,
  input: { readonly view: View; readonly content: string; readonly cohesion: number },
): MergedRecords {
  const { survivor } = from;
  const leafIds = from.leaves
    .map(({ record }) =>
      record.id === survivor?.id ? ownLeafId(record.id, record.content) : record.id,
    )
    .sort();
  const isOwnAmongLeaves = from.leaves.some(({ record }) => record.id === survivor?.id);
  const ownLeaf =
    survivor !== undefined && isOwnAmongLeaves ? ownLeafOf(survivor, input.view.now) : undefined;
  const fields = { ...unionOf(from, input), leaves: leafIds };
  const merged = survivor === undefined ? newMemory(from, fields) : reviseMemory(survivor, fields);
  return { merged, ownLeaf, leafIds };
}

/** Its uses stay with the survivor's id, so the leaf starts with none. */
function ownLeafOf(survivor: Memory, now: number): Memory {
  const { vaultPath: _path, promotedAt: _at, baseLastUsedAt: _last, ...rest } = survivor;
  const { promotedScore: _score, promotedWhy: _why, expiresAt: _expires, ...own } = rest;
  const { mergedHash: _hash, vaultFolder: _folder, ...kept } = own;
  return {
    ...kept,
    id: ownLeafId(survivor.id, survivor.content),
    baseUseCount: 0,
    pinned: false,
    leaves: [],
    status: "archived",
    archivedAt: now,
    archivedReason: "merged",
    supersededBy: survivor.id,
    revision: 1,
  };
}

type Unions = ReturnType<typeof unionOf> & { readonly leaves: readonly string[] };

function newMemory({ namespace, sources, leaves }: MergeSources, fields: Unions): Memory {
  const named = leaves.map(({ record }) => [record.id, record.content]).sort();
  const base: Memory = {
    id: `mem-${hashOf(named, 24)}`,
    namespace,
    kind: sources[0]?.kind ?? "semantic",
    content: "",
    tags: [],
    entities: [],
    extra: {},
    createdAt: 0,
    baseUseCount: 0,
    reviewCount: 0,
    strength: 1,
    pinned: false,
    disputed: false,
    status: "active",
    leaves: [],
    provenance: [],
    revision: 0,
  };
  return reviseMemory(base, fields);
}

function unionOf(
  from: MergeSources,
  {
    view,
    content,
    cohesion,
  }: { readonly view: View; readonly content: string; readonly cohesion: number },
) {
  const { sources } = from;
  const records = from.leaves
    .map(({ record }) => record)
    .toSorted((a, b) => a.createdAt - b.createdAt);
  const all = [...records, ...sources];
  return {
    content,
    tags: union(
      all.flatMap(({ tags }) => tags),
      foldCase,
    ),
    entities: union(
      all.flatMap(({ entities }) => entities),
      entityKey,
    ),
    provenance: union(
      all.flatMap(({ provenance }) => provenance),
      (link) => hashOf(link),
    ),
    extra: Object.fromEntries(all.toReversed().flatMap(({ extra }) => Object.entries(extra))),
    source: from.survivor?.source ?? common(all.map(({ source }) => source)),
    context: from.survivor?.context ?? common(all.map(({ context }) => context)),
    createdAt: Math.min(...all.map(({ createdAt }) => createdAt)),
    // A dispute goes on about whatever the memory becomes; the cluster agent ends it.
    disputed: sources.some(({ disputed }) => disputed),
    confidence: highest(all.map(({ confidence }) => confidence)),
    expiresAt: latestEnd(sources),
    validFrom: common(all.map(({ validFrom }) => validFrom)),
    validTo: common(all.map(({ validTo }) => validTo)),
    reviewCount: Math.max(...all.map(({ reviewCount }) => reviewCount)),
    lastReviewedAt: highest(all.map(({ lastReviewedAt }) => lastReviewedAt)),
    strength: combinedStrength({ sources, records, cohesion }),
    mergedHash: mergedHashOf(content),
    ...foldedBase(from, view),
  };
}

/** `min(max + min(0.1 · cohesion · n, 0.5), 2)` over the originals; a source that a person made stronger stays as strong. */
function combinedStrength({
  sources,
  records,
  cohesion,
}: {
  readonly sources: readonly Memory[];
  readonly records: readonly Memory[];
  readonly cohesion: number;
}): number {
  const strongest = Math.max(...records.map(({ strength }) => strength));
  const bonus = Math.min(0.1 * cohesion * records.length, 0.5);
  return Math.min(Math.max(strongest + bonus, ...sources.map(({ strength }) => strength)), 2);
}

/** First seen first; of equal ones the first. */
function union<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const byKey = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (!byKey.has(key)) byKey.set(key, item);
  }
  return [...byKey.values()];
}

/** What all agree on; the sources keep what they do not. */
function common<T>(values: readonly (T | undefined)[]): T | undefined {
  const present = new Set(values.filter((value) => value !== undefined));
  return present.size === 1 ? [...present][0] : undefined;
}

function highest(values: readonly (number | undefined)[]): number | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === 0 ? undefined : Math.max(...present);
}

/** A fact that one source keeps for good does not end with another's time to live. */
function latestEnd(sources: readonly Memory[]): number | undefined {
  const ends = sources.flatMap(({ expiresAt }) => expiresAt ?? []);
  return ends.length === sources.length ? Math.max(...ends) : undefined;
}
