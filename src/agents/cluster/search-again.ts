import type { Settings } from "../../model/settings.ts";
import type { VectorMatrix } from "../../model/vector-matrix.ts";
import { findNearestPairs } from "../../similarity/nearest-pairs.ts";
import { createPairCollector, type PairList } from "../../similarity/pair-list.ts";
import { cosineFor, type SimilarityProfile } from "../../similarity/profile.ts";
import type { Conflict } from "../../text/conflicts/conflict.ts";
import type { ConflictRules } from "../../text/conflicts/create-conflict-rules.ts";
import type { Row } from "./units.ts";

type PairSearch = Awaited<ReturnType<typeof findNearestPairs>>;

/** The pairs of rows that are alike enough, first below second, in order. */
export type PairFinder = (
  rows: readonly Pick<Row, "record">[],
  matrix: VectorMatrix,
  signal: AbortSignal,
) => Promise<PairSearch>;

interface Searched {
  readonly contents: readonly string[];
  readonly pairs: PairList;
}

/**
 * Searches all pairs the first time. When contradictions were settled, what is left is searched again: its pairs are those of before, as
 * vectors follow from contents, but for rows that had more neighbours than are kept and lost one.
 */
export function createPairFinder(
  profile: SimilarityProfile,
  settings: Settings["cluster"],
): PairFinder {
  const threshold = cosineFor(profile, settings.linkThreshold);
  // A group has at most so many members, so nobody's thirteenth neighbour can matter to it.
  const nearest = settings.maxClusterSize;
  let known: Searched | undefined;
  return async (rows, matrix, signal) => {
    const contents = rows.map(({ record }) => record.content);
    const left = known && restrict(known, contents, nearest);
    const search = left
      ? { pairs: left }
      : await findNearestPairs(matrix, { threshold, signal, nearest });
    known = { contents, pairs: search.pairs };
    return search;
  };
}

/** The pairs among some of the rows, numbered anew; undefined where those of before do not tell. */
function restrict(
  { contents: before, pairs }: Searched,
  after: readonly string[],
  nearest: number,
): PairList | undefined {
  const rowOf = numberRows(before, after);
  if (rowOf === undefined) return undefined;
  const collector = createPairCollector();
  const degrees = countNeighbours(pairs, before.length);
  for (let pair = 0; pair < pairs.count; pair++) {
    const [first = 0, second = 0] = [pairs.first[pair], pairs.second[pair]];
    const [a = GONE, b = GONE] = [rowOf[first], rowOf[second]];
    if (a !== GONE && b !== GONE) collector.add(a, b, pairs.similarity[pair] ?? 0);
    // With that many neighbours there may be another one, which was not kept and now moves up.
    const kept = a === GONE ? second : first;
    if ((a === GONE) !== (b === GONE) && (degrees[kept] ?? 0) >= nearest) return undefined;
  }
  return collector.list();
}

function countNeighbours({ count, first, second }: PairList, rows: number): Uint32Array {
  const degrees = new Uint32Array(rows);
  for (let pair = 0; pair < count; pair++) {
    for (const row of [first[pair] ?? 0, second[pair] ?? 0]) degrees[row] = (degrees[row] ?? 0) + 1;
  }
  return degrees;
}

const GONE = -1;

/** By earlier row its new number; undefined where a row is new or they changed places, which settles ties. */
function numberRows(
  before: readonly string[],
  after: readonly string[],
): readonly number[] | undefined {
  let next = 0;
  const rowOf = before.map((content) => (content === after[next] ? next++ : GONE));
  return next === after.length ? rowOf : undefined;
}

/** The same rules, which judge two texts once: every search asks for the pairs that are left, and for some of them in several places. */
export function rememberConflicts(rules: ConflictRules): ConflictRules {
  const known = new Map<string, Map<string, readonly Conflict[]>>();
  return {
    conflicts: (a, b) => {
      const ofFirst = known.get(a) ?? new Map<string, readonly Conflict[]>();
      const found = ofFirst.get(b) ?? rules.conflicts(a, b);
      known.set(a, ofFirst.set(b, found));
      return found;
    },
  };
}
