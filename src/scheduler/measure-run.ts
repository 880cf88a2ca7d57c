import type { Change } from "../model/change.ts";
import { decayScore } from "../model/decay-score.ts";
import type { Instant } from "../model/instant.ts";
import { isLive, type Memory, memoryKey } from "../model/memory.ts";
import type { RunMeasures, StoreMeasure } from "../model/run-measures.ts";
import type { Settings } from "../model/settings.ts";
import type { Snapshot } from "../ports/memory-store.ts";
import { createUsageIndex } from "./usage-index.ts";

/** What a store holds before and after the changes of a run: how much, and how alive it is by the decay score. */
export function measureRun(input: {
  readonly snapshot: Pick<Snapshot, "memories" | "uses">;
  readonly changes: Iterable<Change>;
  readonly settings: Settings;
  readonly now: Instant;
}): RunMeasures {
  const { snapshot, settings } = input;
  const edges = edgesOf(settings);
  const later = new Map<string, Memory>();
  const score = createScore(input, later);
  const before = emptyTally(edges.length + 1);
  for (const memory of snapshot.memories) count(before, { memory, by: 1, score, edges });
  const after = { ...before, scores: [...before.scores] };
  let noteBytes = 0;
  for (const change of input.changes) {
    if (change.kind === "note.put") noteBytes += bytesOf(change.after) - bytesOf(change.before);
    if (change.kind !== "memory.put") continue;
    // The images of a record follow one upon the other, so that adding and taking away leaves the last.
    if (change.before) count(after, { memory: change.before, by: -1, score, edges });
    if (change.after) {
      later.set(memoryKey(change.after), change.after);
      count(after, { memory: change.after, by: 1, score, edges });
    }
  }
  return { edges, before, after, noteBytes };
}

/** Where the agents' thresholds are. */
function edgesOf({ decay, promote }: Settings): readonly number[] {
  const edges = [
    decay.forgetBelow,
    decay.highBelow,
    decay.mediumBelow,
    decay.lowBelow,
    promote.scoreAtLeast,
    1,
  ];
  return [...new Set(edges)].sort((a, b) => a - b);
}

function createScore(
  {
    snapshot,
    settings,
    now,
  }: {
    readonly snapshot: Pick<Snapshot, "memories" | "uses">;
    readonly settings: Settings;
    readonly now: Instant;
  },
  later: ReadonlyMap<string, Memory>,
): (memory: Memory) => number {
  const usage = createUsageIndex(snapshot.uses, now);
  let byKey: ReadonlyMap<string, Memory> | undefined;
  const find = (namespace: string, id: string): Memory | undefined => {
    // Only merged memories have leaves; a store without them needs no index.
    byKey ??= new Map(snapshot.memories.map((memory) => [memoryKey(memory), memory]));
    const key = memoryKey({ namespace, id });
    return later.get(key) ?? byKey.get(key);
  };
  return (memory) =>
    decayScore({
      memory,
      usage: usage.of(memory, (id) => find(memory.namespace, id)),
      now,
      settings: settings.decay,
    });
}

type Tally = { -readonly [K in Exclude<keyof StoreMeasure, "scores">]: number } & {
  readonly scores: number[];
};

function emptyTally(buckets: number): Tally {
  return { memories: 0, archived: 0, bytes: 0, notes: 0, scores: Array(buckets).fill(0) };
}

function count(
  tally: Tally,
  one: {
    readonly memory: Memory;
    readonly by: 1 | -1;
    readonly score: (memory: Memory) => number;
    readonly edges: readonly number[];
  },
): void {
  const { memory, by, score, edges } = one;
  if (memory.archivedReason === "undone") return;
  if (memory.vaultPath !== undefined) tally.notes += by;
  if (!isLive(memory)) {
    tally.archived += by;
    return;
  }
  tally.memories += by;
  tally.bytes += by * Buffer.byteLength(memory.content);
  const value = score(memory);
  let bucket = 0;
  while (bucket < edges.length && (edges[bucket] ?? 0) <= value) bucket += 1;
  tally.scores[bucket] = (tally.scores[bucket] ?? 0) + by;
}

function bytesOf(image: { readonly text: string } | null): number {
  return image === null ? 0 : Buffer.byteLength(image.text);
}
