import type { Query, VectorQuery } from "@lancedb/lancedb";
import type { RecordBatch } from "apache-arrow";
import type { Memory } from "../../model/memory.ts";
import { ENTRY_COLUMNS, entriesOf, numberColumn, textColumn } from "./decode.ts";
import { isIn, quote } from "./escape.ts";

/** Memories that match, by key, with one signal. */
export type Scored = Map<string, { readonly memory: Memory; readonly score: number }>;

interface Wanted {
  readonly limit: number;
  readonly signal: "_distance" | "_score";
  readonly score: (raw: number) => number;
  readonly isWanted?: (batch: RecordBatch) => readonly boolean[];
}

interface Live {
  readonly namespace: string;
  /** Whose vectors count. */
  readonly embedder?: string;
}

/** How many times as many as are wanted are looked at without a condition. */
const GENEROUS = 3;

/**
 * The best live memories of a namespace. Conditions take half as long as the search itself to work out for 100,000 rows, and most stores hold
 * little else than live memories of one namespace: so more are asked for than are wanted, and those that do not count are left out. Only
 * where too few remain is it asked again, with conditions. The answer is the same.
 */
export async function findLive(
  query: () => Query | VectorQuery,
  { namespace, embedder, ...wanted }: Live & Wanted,
): Promise<Scored> {
  const live = embedder === undefined ? { namespace } : { namespace, embedder };
  const limit = wanted.limit * GENEROUS;
  const isWanted = (batch: RecordBatch) => liveRows(batch, live);
  const { found, seen } = await collect(query(), {
    ...wanted,
    limit,
    keep: wanted.limit,
    isWanted,
  });
  if (seen < limit || found.size >= wanted.limit) {
    const ranked = [...found].sort(([, a], [, b]) => b.score - a.score);
    return new Map(ranked.slice(0, wanted.limit));
  }
  return (await collect(query().where(liveCondition(live)), wanted)).found;
}

/** No other record has one of these states. */
const LIVE_STATES = ["active", "promoted"];

export function liveCondition({ namespace, embedder }: Live): string {
  const made = embedder === undefined ? "" : ` AND embedder = ${quote(embedder)}`;
  return `namespace = ${quote(namespace)} AND ${isIn("status", LIVE_STATES)}${made}`;
}

function liveRows(batch: RecordBatch, { namespace, embedder }: Live): readonly boolean[] {
  const statuses = textColumn(batch, "status");
  const embedders = textColumn(batch, "embedder");
  return textColumn(batch, "namespace").map(
    (name, index) =>
      name === namespace &&
      LIVE_STATES.includes(statuses[index] ?? "") &&
      (embedder === undefined || embedder === embedders[index]),
  );
}

const SEARCH_COLUMNS = [...ENTRY_COLUMNS, "namespace", "status", "embedder"];

/** What a query finds, up to the limit; `seen` counts what does not count as well. */
export async function collect(
  query: Query | VectorQuery,
  { limit, keep = limit, signal, score, isWanted }: Wanted & { readonly keep?: number },
): Promise<{ readonly found: Scored; readonly seen: number }> {
  const found: Scored = new Map();
  let seen = 0;
  for await (const batch of query.select([...SEARCH_COLUMNS, signal]).limit(limit)) {
    seen += batch.numRows;
    const scores = numberColumn(batch, signal).map(score);
    const best = bestRows(scores, { keep, wanted: isWanted?.(batch) });
    // The rows come with the best first, so a few dozen records are read where hundreds were looked at.
    const read = batch.slice(0, Math.max(-1, ...best) + 1);
    for (const [row, { key, record, value }] of entriesOf(read).entries()) {
      if (record !== "memory" || !best.has(row)) continue;
      found.set(key, { memory: value, score: scores[row] ?? 0 });
    }
  }
  return { found, seen };
}

function bestRows(
  scores: readonly number[],
  { keep, wanted }: { readonly keep: number; readonly wanted: readonly boolean[] | undefined },
): ReadonlySet<number> {
  const rows = [...scores.keys()].filter((row) => wanted?.[row] !== false);
  rows.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  return new Set(rows.slice(0, keep));
}
