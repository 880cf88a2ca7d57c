import type { PairList } from "../../similarity/pair-list.ts";
import type { Containment } from "./containment.ts";
import type { Likeness } from "./likeness.ts";
import { areCompatible, type Unit } from "./units.ts";

/** Units that are one already, or will be by the end of this run. */
export interface Node {
  readonly units: readonly Unit[];
  /** Their texts, without those that another of them holds: the same before and after they are merged. */
  readonly rows: readonly number[];
  /** Originals. */
  readonly weight: number;
  readonly key: string;
}

export function nodeOf(units: readonly Unit[], containment: Containment): Node {
  const [only, ...more] = units;
  // Nearly all are what they were: one text of one memory.
  if (only !== undefined && more.length === 0 && only.rows.length === 1) {
    return { units, rows: only.rows, weight: only.leaves.length, key: only.key };
  }
  const keys = units.map(({ key }) => key).sort();
  return {
    units,
    rows: containment.withoutParts([...new Set(units.flatMap(({ rows }) => rows))]),
    weight: units.reduce((sum, { leaves }) => sum + leaves.length, 0),
    key: keys[0] ?? "",
  };
}

/** Pairs of nodes as columns: first below second, in order, each once. */
export interface NodePairs {
  readonly first: Uint32Array;
  readonly second: Uint32Array;
}

/** Pairs of nodes that share a row or have linked rows. */
export function linkedNodes(nodes: readonly Node[], rowPairs: PairList): NodePairs {
  const nodesByRow = groupByRow(nodes);
  // A pair as one number, whose order is that of the pairs.
  const found: number[] = [];
  const link = (some: readonly number[], others: readonly number[]): void => {
    for (const a of some) {
      for (const b of others) {
        if (a !== b) found.push(Math.min(a, b) * nodes.length + Math.max(a, b));
      }
    }
  };
  for (const sharing of nodesByRow.values()) link(sharing, sharing);
  for (let pair = 0; pair < rowPairs.count; pair++) {
    const [row = 0, other = 0] = [rowPairs.first[pair], rowPairs.second[pair]];
    link(nodesByRow.get(row) ?? [], nodesByRow.get(other) ?? []);
  }
  const sorted = new Float64Array(found).sort();
  const distinct = sorted.filter((pair, at) => pair !== sorted[at - 1]);
  return {
    first: Uint32Array.from(distinct, (pair) => Math.floor(pair / nodes.length)),
    second: Uint32Array.from(distinct, (pair) => pair % nodes.length),
  };
}

function groupByRow(nodes: readonly Node[]): ReadonlyMap<number, readonly number[]> {
  const nodesByRow = new Map<number, number[]>();
  for (const [at, { rows }] of nodes.entries()) {
    for (const row of rows) {
      const known = nodesByRow.get(row);
      if (known) known.push(at);
      else nodesByRow.set(row, [at]);
    }
  }
  return nodesByRow;
}

/** The pairs with a measure of theirs, as grouping takes them. */
export function measurePairs(
  pairs: NodePairs,
  measure: (first: number, second: number) => number,
): PairList {
  const { first, second } = pairs;
  const similarity = Float64Array.from(first, (one, at) => measure(one, second[at] ?? 0));
  return { count: first.length, first, second, similarity };
}

export function areNodesCompatible(a: Node, b: Node): boolean {
  return a.units.every((unit) => b.units.every((other) => areCompatible(unit, other)));
}

export function everyPair(a: Node, b: Node, test: (a: number, b: number) => boolean): boolean {
  return a.rows.every((row) => b.rows.every((other) => test(row, other)));
}

export function somePair(a: Node, b: Node, test: (a: number, b: number) => boolean): boolean {
  return a.rows.some((row) => b.rows.some((other) => test(row, other)));
}

/** Similarity of the two least alike rows. */
export function leastSimilarity(a: Node, b: Node, likeness: Likeness): number {
  let least = Number.POSITIVE_INFINITY;
  for (const row of a.rows) {
    for (const other of b.rows) least = Math.min(least, likeness.similarity(row, other));
  }
  return least;
}

export function meanSimilarity(a: Node, b: Node, likeness: Likeness): number {
  let sum = 0;
  for (const row of a.rows) for (const other of b.rows) sum += likeness.similarity(row, other);
  return sum / (a.rows.length * b.rows.length);
}
