import type { Settings } from "../../model/settings.ts";
import type { VectorMatrix } from "../../model/vector-matrix.ts";
import { findNearestPairs } from "../../similarity/nearest-pairs.ts";
import { carryLists, GONE } from "../../similarity/neighbour-lists.ts";
import type { PairList } from "../../similarity/pair-list.ts";
import { cosineFor } from "../../similarity/profile.ts";
import type { AgentDeps } from "../agent-deps.ts";
import { type KeptWork, packWork, type SearchedRows, unpackWork } from "./kept-work.ts";
import { createPairVerdicts, type PairVerdicts } from "./pair-verdicts.ts";
import { createReadings, type Reading, type Readings } from "./readings.ts";
import type { Row } from "./units.ts";

/** What is computed of a namespace once, however many searches and runs ask for it. With it or without, the answers are the same. */
export interface WorkMemory {
  readonly readings: Readings;
  readonly verdicts: PairVerdicts;
  /** The pairs of rows that are alike enough, each among the nearest of one of the two. */
  findPairs(
    rows: readonly Row[],
    matrix: VectorMatrix,
    signal: AbortSignal,
  ): Promise<{ readonly pairs: PairList; readonly note?: string }>;
  /** Keeps for the next run what this one had use for, unless that is there already. */
  save(): Promise<void>;
}

/** Neighbours kept of a row beyond those that are used: so many may go before it is searched again. */
const SPARE_NEIGHBOURS = 4;

export async function openWorkMemory(
  namespace: string,
  { deps, settings }: { readonly deps: AgentDeps; readonly settings: Settings["cluster"] },
): Promise<WorkMemory> {
  const { kept, profile } = deps;
  const threshold = cosineFor(profile, settings.linkThreshold);
  // A group has at most so many members, so nobody's thirteenth neighbour can matter to it.
  const nearest = settings.maxClusterSize;
  const { exactUpTo } = settings;
  const basis = JSON.stringify([kept?.basis, profile.embedder, threshold, nearest, exactUpTo]);
  const name = JSON.stringify(["cluster", namespace]);
  const packed = await kept?.cache.read(name, basis);
  const earlier: Partial<KeptWork> = packed === undefined ? {} : unpackWork(packed);
  const knownReadings = earlier.readings?.length ?? 0;
  const readings = createReadings(earlier.readings);
  const verdicts = earlier.verdicts ?? createPairVerdicts();
  const knownVerdicts = verdicts.size;
  let { searched } = earlier;
  let hasSearched = packed === undefined;
  const used = new Set<number>();
  return {
    readings: {
      all: readings.all,
      of: (memory) => {
        const reading = readings.of(memory);
        used.add(reading.number);
        return reading;
      },
    },
    verdicts,
    findPairs: async (rows, matrix, signal) => {
      const numbers = Uint32Array.from(rows, ({ reading }) => reading.number);
      const found = await findNearestPairs(matrix, {
        threshold,
        nearest,
        exactUpTo,
        kept: nearest + SPARE_NEIGHBOURS,
        keys: rows.map(({ reading }) => reading.key),
        signal,
        ...(searched ? { known: carryOver(searched, numbers, readings.all.length) } : {}),
      });
      hasSearched ||= found.searched > 0;
      searched = { numbers, lists: found.lists };
      return found;
    },
    save: async () => {
      const isAsBefore =
        !hasSearched &&
        used.size === knownReadings &&
        readings.all.length === knownReadings &&
        verdicts.size === knownVerdicts;
      if (kept === undefined || searched === undefined || isAsBefore) return;
      const isUsed = ({ number }: Reading): boolean => used.has(number);
      const bytes = packWork({ readings: readings.all, searched, verdicts }, isUsed);
      await kept.cache.write(name, basis, bytes);
    },
  };
}

function carryOver({ numbers, lists }: SearchedRows, now: Uint32Array, readings: number) {
  const rowOfReading = new Int32Array(readings).fill(GONE);
  for (const [row, number] of numbers.entries()) rowOfReading[number] = row;
  const earlierRow = Int32Array.from(now, (number) => rowOfReading[number] ?? GONE);
  return carryLists(lists, { rows: now.length, earlierRow });
}
