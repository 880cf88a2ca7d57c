import type { RecordBatch } from "apache-arrow";
import type { Memory } from "../../model/memory.ts";
import type { SearchCandidate, SearchQuery } from "../../ports/memory-store.ts";
import { recordKey } from "../../ports/store-rules.ts";
import { textColumn, vectorColumnOf } from "./decode.ts";
import { isIn, quote } from "./escape.ts";
import { collect, findLive, liveCondition, type Scored } from "./find-live.ts";
import type { Handle } from "./handle.ts";
import { hasTextIndex } from "./indexes.ts";
import { scan } from "./read.ts";
import { readByKey } from "./read-by-key.ts";
import { vectorColumn, vectorColumnsOf } from "./schema.ts";
import { embedTexts } from "./vectors.ts";

/**
 * The best of both sides, each with both signals: where only one side found a memory, the other signal is computed for it.
 */
export async function searchMemories(
  handle: Handle,
  { namespace, text, candidates = 100 }: SearchQuery,
): Promise<readonly SearchCandidate[]> {
  const asked = await askedVector(handle, text);
  const side = { namespace, limit: candidates };
  const worded = await createTextSide(handle, { text, ...side });
  const [near, foundByWord] = await Promise.all([
    findNear(handle, { asked, ...side }),
    worded.best(),
  ]);
  const memories = new Map([...near, ...foundByWord].map(([key, { memory }]) => [key, memory]));
  const [wordScores, cosines] = await Promise.all([
    worded.scores([...near.keys()].filter((key) => !foundByWord.has(key))),
    readCosines(
      handle,
      [...foundByWord].filter(([key]) => !near.has(key)).map(([, { memory }]) => memory),
      asked,
    ),
  ]);
  return [...memories].map(([key, memory]) => ({
    memory,
    cosine: near.get(key)?.score ?? cosines.get(key) ?? 0,
    textScore: foundByWord.get(key)?.score ?? wordScores.get(key) ?? 0,
  }));
}

interface Asked {
  readonly vector: Float32Array;
  /** Undefined: the table has no vectors of this size. */
  readonly column: string | undefined;
}

/** Undefined: no word of the query is known, so nothing is near it. */
async function askedVector(
  { embedder, records }: Handle,
  text: string,
): Promise<Asked | undefined> {
  const vector = (await embedTexts(embedder, [text])).get(text);
  if (!vector) return undefined;
  const column = vectorColumn(embedder.dimensions);
  const has = vectorColumnsOf(await records.schema()).has(column);
  return { vector, column: has ? column : undefined };
}

interface Side {
  readonly namespace: string;
  readonly limit: number;
}

/**
 * Flat search: below 200,000 rows it is faster to keep than an index, and exact. Rows of another embedder have no place in it. All vectors
 * are of unit length, so the dot product is the cosine; asked for the cosine itself, LanceDB takes twice the time (measured on 100,000).
 */
async function findNear(
  { records, embedder }: Handle,
  { asked, ...side }: Side & { readonly asked: Asked | undefined },
): Promise<Scored> {
  const { vector, column } = asked ?? {};
  if (vector === undefined || column === undefined) return new Map();
  const query = () => records.query().nearestTo(vector).column(column).distanceType("dot");
  const score = (distance: number) => 1 - distance;
  return findLive(query, { ...side, embedder: embedder.id, signal: "_distance", score });
}

interface TextSide {
  best(): Promise<Scored>;
  /** Of these memories; a key that is missing in the answer has no word of the query. */
  scores(keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Scripts without spaces: LanceDB's tokenizer takes a run of them for one word, and finds nothing. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

async function createTextSide(
  handle: Handle,
  side: Side & { readonly text: string },
): Promise<TextSide> {
  const indexed = !UNSPACED.test(side.text) && (await hasTextIndex(handle.records));
  return indexed ? createIndexSide(handle, side) : createScanSide(handle, side);
}

/** The index tokenizes a query as plain words (`MatchQuery`): nothing in it is syntax. */
function createIndexSide(
  { engine, records }: Handle,
  { text, ...side }: Side & { readonly text: string },
): TextSide {
  const match = new engine.lance.MatchQuery(text.slice(0, LONGEST_QUERY), "content");
  const query = () => records.query().fullTextSearch(match);
  const asItIs = { signal: "_score", score: (score: number) => score } as const;
  let complete = false;
  return {
    best: async () => {
      const found = await findLive(query, { ...side, ...asItIs });
      complete = found.size < side.limit;
      return found;
    },
    scores: async (keys) => {
      if (complete || keys.length === 0) return new Map();
      // The vector side found them, so they are live.
      const { found } = await collect(query().where(isIn("key", keys)), {
        ...asItIs,
        limit: keys.length,
      });
      return new Map([...found].map(([key, { score }]) => [key, score]));
    },
  };
}

/** Characters of a query that are looked up; more words only make it slow. */
const LONGEST_QUERY = 4_000;

/** Without an index, or where it is blind: BM25 over all live memories of the namespace (measured: 1.2 s of processor time for 100,000). */
function createScanSide(
  { records }: Handle,
  { text, namespace, limit }: Side & { readonly text: string },
): TextSide {
  const all = new Map<string, number>();
  return {
    best: async () => {
      // Its word lists take 20 ms to load, and a store with an index needs none of them.
      const { bm25Scores } = await import("../../text/bm25.ts");
      const where = liveCondition({ namespace });
      const texts = await scan(records, {
        where,
        columns: ["key", "content"],
        decode: (batch) => {
          const contents = textColumn(batch, "content");
          // Memories alone have content.
          return textColumn(batch, "key").flatMap((key, row): [string, string][] => {
            const content = contents[row] ?? null;
            return key === null || content === null ? [] : [[key, content]];
          });
        },
      });
      const scores = bm25Scores(
        text.slice(0, LONGEST_QUERY),
        texts.map(([, content]) => content),
      );
      for (const [index, [key]] of texts.entries()) {
        const score = scores[index] ?? 0;
        if (score > 0) all.set(key, score);
      }
      const best = [...all].sort(([, a], [, b]) => b - a).slice(0, limit);
      const memories = await readByKey(records, { where, keys: best.map(([key]) => key) });
      return new Map(
        best.flatMap(([key, score]): [string, { memory: Memory; score: number }][] => {
          const memory = memories.get(key);
          return memory ? [[key, { memory, score }]] : [];
        }),
      );
    },
    scores: async (keys) => new Map(keys.map((key) => [key, all.get(key) ?? 0])),
  };
}

/** Of memories that the vector side did not find: from their stored vectors, or anew where those are another embedder's. */
async function readCosines(
  handle: Handle,
  memories: readonly Memory[],
  asked: Asked | undefined,
): Promise<ReadonlyMap<string, number>> {
  if (asked === undefined || memories.length === 0) return new Map();
  const { records, embedder } = handle;
  const { vector, column } = asked;
  const keys = memories.map((memory) => recordKey("memory", memory));
  const stored =
    column === undefined
      ? []
      : await scan(records, {
          where: `${isIn("key", keys)} AND embedder = ${quote(embedder.id)}`,
          columns: ["key", column],
          decode: (batch) => cosinesOf(batch, column, vector),
        });
  const cosines = new Map(stored);
  const stale = memories.filter((_, index) => !cosines.has(keys[index] ?? ""));
  const fresh = await embedTexts(
    embedder,
    stale.map(({ content }) => content),
  );
  for (const memory of stale) {
    cosines.set(recordKey("memory", memory), dot(vector, fresh.get(memory.content)));
  }
  return cosines;
}

function cosinesOf(batch: RecordBatch, column: string, asked: Float32Array): [string, number][] {
  const keys = textColumn(batch, "key");
  return vectorColumnOf(batch, column).map((vector, index) => [
    keys[index] ?? "",
    dot(asked, vector),
  ]);
}

/** Of unit vectors, the cosine; 0 where there is none. */
function dot(a: Float32Array, b: Float32Array | null | undefined): number {
  return b ? a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) : 0;
}
