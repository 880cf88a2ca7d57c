import { packColumns, unpackColumns } from "../../model/columns.ts";
import {
  createNeighbourLists,
  LIST,
  type NeighbourLists,
} from "../../similarity/neighbour-lists.ts";
import { createPairVerdicts, type PairVerdict, type PairVerdicts } from "./pair-verdicts.ts";
import { KEY_LENGTH, type Reading, SENTENCE_KEY_LENGTH } from "./readings.ts";

/** The neighbours of the rows of a search, with the number of each row's reading. */
export interface SearchedRows {
  readonly numbers: Uint32Array;
  readonly lists: NeighbourLists;
}

/** What a run of the cluster agent leaves for the next: results of pure computations, by keys of contents. No word of a memory. */
export interface KeptWork {
  readonly readings: readonly Reading[];
  readonly searched: SearchedRows | undefined;
  readonly verdicts: PairVerdicts;
}

/** As bytes, without what this run had no use for. */
export function packWork(
  { readings, searched, verdicts }: KeptWork & { readonly searched: SearchedRows },
  isUsed: (reading: Reading) => boolean,
): Uint8Array {
  const used = readings.filter(isUsed);
  const numberOf = new Uint32Array(readings.length);
  for (const [number, reading] of used.entries()) numberOf[reading.number] = number;
  return packColumns([
    ...readingColumns(used),
    ...listColumns(searched, numberOf),
    ...verdictColumns(verdicts, (number) => {
      const reading = readings[number];
      return reading !== undefined && isUsed(reading) ? numberOf[number] : undefined;
    }),
  ]);
}

/** Reads what the same code has packed. */
export function unpackWork(packed: Uint8Array): KeptWork {
  const columns = unpackColumns(packed);
  const next = createTaker(columns);
  const readings = readReadings(next);
  const searched = readLists(next);
  const verdicts = createPairVerdicts(readVerdicts(next));
  return { readings, searched, verdicts };
}

type Taker = () => ArrayBuffer;

function createTaker(columns: readonly ArrayBuffer[]): Taker {
  let at = 0;
  return () => {
    const column = columns[at];
    at += 1;
    if (column === undefined) throw new RangeError("kept work has fewer columns than expected");
    return column;
  };
}

const READING_FLAG = { dated: 1, bound: 2, wordless: 4 } as const;
const BLANK_KEY = "\0".repeat(KEY_LENGTH);

function readingColumns(readings: readonly Reading[]): readonly ArrayBufferView[] {
  const flags = readings.map(
    ({ isDated, isBoundToTime, copyKey }) =>
      (isDated ? READING_FLAG.dated : 0) |
      (isBoundToTime ? READING_FLAG.bound : 0) |
      (copyKey === "" ? READING_FLAG.wordless : 0),
  );
  return [
    bytesOf(readings.map(({ key }) => key)),
    bytesOf(readings.map(({ copyKey }) => copyKey || BLANK_KEY)),
    Uint8Array.from(flags),
    Uint32Array.from(readings, ({ sentences }) => sentences.length),
    bytesOf(readings.flatMap(({ sentences }) => sentences)),
  ];
}

function readReadings(next: Taker): readonly Reading[] {
  const [keys, copyKeys] = [textOf(next()), textOf(next())];
  const [flags, counts] = [new Uint8Array(next()), new Uint32Array(next())];
  const sentences = textOf(next());
  let sentence = 0;
  return Array.from(flags, (flag, number): Reading => {
    const at = number * KEY_LENGTH;
    const own: string[] = [];
    for (const end = sentence + (counts[number] ?? 0); sentence < end; sentence++) {
      const start = sentence * SENTENCE_KEY_LENGTH;
      own.push(sentences.slice(start, start + SENTENCE_KEY_LENGTH));
    }
    return {
      key: keys.slice(at, at + KEY_LENGTH),
      number,
      copyKey: flag & READING_FLAG.wordless ? "" : copyKeys.slice(at, at + KEY_LENGTH),
      isDated: (flag & READING_FLAG.dated) !== 0,
      isBoundToTime: (flag & READING_FLAG.bound) !== 0,
      sentences: own,
    };
  });
}

function listColumns(
  { numbers, lists }: SearchedRows,
  numberOf: Uint32Array,
): readonly ArrayBufferView[] {
  const { size, state, filled, horizonSimilarity, horizonKey } = lists;
  const count = filled.reduce((sum, one) => sum + one, 0);
  const [neighbour, similarity] = [new Uint32Array(count), new Float64Array(count)];
  let at = 0;
  for (const [row, length] of filled.entries()) {
    const start = row * size;
    neighbour.set(lists.neighbour.subarray(start, start + length), at);
    similarity.set(lists.similarity.subarray(start, start + length), at);
    at += length;
  }
  const cut = Array.from(state.keys()).filter((row) => state[row] === LIST.cut);
  return [
    Uint32Array.of(size),
    numbers.map((number) => numberOf[number] ?? 0),
    state,
    filled,
    neighbour,
    similarity,
    Float64Array.from(cut, (row) => horizonSimilarity[row] ?? 0),
    bytesOf(cut.map((row) => horizonKey[row] ?? BLANK_KEY)),
  ];
}

function readLists(next: Taker): SearchedRows {
  const [size = 0] = new Uint32Array(next());
  const numbers = new Uint32Array(next());
  const lists = createNeighbourLists(numbers.length, size);
  lists.state.set(new Uint8Array(next()));
  lists.filled.set(new Uint32Array(next()));
  const [neighbour, similarity] = [new Uint32Array(next()), new Float64Array(next())];
  let at = 0;
  for (const [row, length] of lists.filled.entries()) {
    lists.neighbour.set(neighbour.subarray(at, at + length), row * size);
    lists.similarity.set(similarity.subarray(at, at + length), row * size);
    at += length;
  }
  const [horizons, horizonKeys] = [new Float64Array(next()), textOf(next())];
  let cut = 0;
  for (const [row, state] of lists.state.entries()) {
    if (state !== LIST.cut) continue;
    lists.horizonSimilarity[row] = horizons[cut] ?? 0;
    lists.horizonKey[row] = horizonKeys.slice(cut * KEY_LENGTH, (cut + 1) * KEY_LENGTH);
    cut += 1;
  }
  return { numbers, lists };
}

const VERDICT_FLAG = { apart: 1, safe: 2 } as const;

function verdictColumns(
  verdicts: PairVerdicts,
  newNumberOf: (number: number) => number | undefined,
): readonly ArrayBufferView[] {
  const [first, second]: [number[], number[]] = [[], []];
  const [flags, certainties]: [number[], number[]] = [[], []];
  for (const [a, b, { areApart, isSafe, certainty }] of verdicts.used()) {
    const [newA, newB] = [newNumberOf(a), newNumberOf(b)];
    if (newA === undefined || newB === undefined) continue;
    first.push(newA);
    second.push(newB);
    flags.push((areApart ? VERDICT_FLAG.apart : 0) | (isSafe ? VERDICT_FLAG.safe : 0));
    certainties.push(certainty);
  }
  return [
    Uint32Array.from(first),
    Uint32Array.from(second),
    Uint8Array.from(flags),
    Float64Array.from(certainties),
  ];
}

function* readVerdicts(next: Taker): Generator<readonly [number, number, PairVerdict]> {
  const [first, second] = [new Uint32Array(next()), new Uint32Array(next())];
  const [flags, certainties] = [new Uint8Array(next()), new Float64Array(next())];
  for (const [at, flag] of flags.entries()) {
    const verdict = {
      areApart: (flag & VERDICT_FLAG.apart) !== 0,
      isSafe: (flag & VERDICT_FLAG.safe) !== 0,
      certainty: certainties[at] ?? Number.NaN,
    };
    yield [first[at] ?? 0, second[at] ?? 0, verdict] as const;
  }
}

/** Characters of one byte each. */
function bytesOf(texts: readonly string[]): Uint8Array {
  return Buffer.from(texts.join(""), "latin1");
}

function textOf(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString("latin1");
}
