import { RELATION_TYPES } from "../../model/relation.ts";
import type { JournalStep } from "../../model/run.ts";
import { keysOf, type PutChange } from "../changes.ts";

/**
 * Groups the puts of a run that can only be taken back together, in order of first touch: all that a merge wrote (the memory, its
 * sources, its relations, the issue that asked for it). Everything else stands alone.
 */
export function tieChanges(
  puts: readonly PutChange[],
  steps: readonly JournalStep[],
): readonly (readonly PutChange[])[] {
  const ties = createTies();
  const mergeKeys = new Set(puts.filter(isOfMerge).map(keyOfChange));
  for (const { touches = [] } of steps) {
    const [first, ...others] = touches;
    if (first === undefined || !touches.some((key) => mergeKeys.has(key))) continue;
    for (const other of others) ties.tie(other, first);
  }
  const groups = new Map<string, PutChange[]>();
  for (const put of puts) {
    const root = ties.rootOf(keyOfChange(put));
    const group = groups.get(root);
    if (group) group.push(put);
    else groups.set(root, [put]);
  }
  return [...groups.values()];
}

export function keyOfChange(change: PutChange): string {
  return keysOf(change).join();
}

function isOfMerge({ kind, after }: PutChange): boolean {
  return (
    kind === "relation.put" &&
    after !== null &&
    "type" in after &&
    after.type === RELATION_TYPES.consolidatedFrom
  );
}

/** Disjoint sets of keys. */
function createTies() {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    return root;
  };
  return {
    rootOf,
    tie: (a: string, b: string): void => {
      const [from, to] = [rootOf(a), rootOf(b)];
      if (from !== to) parents.set(from, to);
    },
  };
}
