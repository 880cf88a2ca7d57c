import { createPairCollector, type PairList } from "../../similarity/pair-list.ts";
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
  const keys = units.map(({ key }) => key).sort();
  return {
    units,
    rows: containment.withoutParts([...new Set(units.flatMap(({ rows }) => rows))]),
    weight: units.reduce((sum, { leaves }) => sum + leaves.length, 0),
    key: keys[0] ?? "",
  };
}

export interface NodePair {
  readonly first: number;
  readonly second: number;
}

/** Pairs of nodes that share a row or have linked rows: first below second, in order, each once. */
export function linkedNodes(nodes: readonly Node[], rowPairs: PairList): readonly NodePair[] {
  const nodesByRow = groupByRow(nodes);
  const found = new Map<number, NodePair>();
  const link = (some: readonly number[], others: readonly number[]): void => {
    for (const a of some) {
      for (const b of others) {
        const pair = { first: Math.min(a, b), second: Math.max(a, b) };
        if (a !== b) found.set(pair.first * nodes.length + pair.second, pair);
      }
    }
  };
  for (const sharing of nodesByRow.values()) link(sharing, sharing);
  for (let pair = 0; pair < rowPairs.count; pair++) {
    const [row = 0, other = 0] = [rowPairs.first[pair], rowPairs.second[pair]];
    link(nodesByRow.get(row) ?? [], nodesByRow.get(other) ?? []);
  }
  return [...found.values()].sort((a, b) => a.first - b.first || a.second - b.second);
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
  pairs: readonly NodePair[],
  measure: (first: number, second: number) => number,
): PairList {
  const collector = createPairCollector();
  for (const { first, second } of pairs) collector.add(first, second, measure(first, second));
  return collector.list();
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
  return Math.min(...similarities(a, b, likeness));
}

export function meanSimilarity(a: Node, b: Node, likeness: Likeness): number {
  const all = similarities(a, b, likeness);
  return all.reduce((sum, value) => sum + value, 0) / all.length;
}

function similarities(a: Node, b: Node, likeness: Likeness): readonly number[] {
  return a.rows.flatMap((row) => b.rows.map((other) => likeness.similarity(row, other)));
}
