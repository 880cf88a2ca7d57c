import { hashOf } from "../model/hash.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { putsOf } from "./batches.ts";
import { foldChanges, isPut, keysOf, toRecordPut } from "./changes.ts";
import type { DecidedProposal } from "./plan.ts";
import { readCurrent } from "./read-current.ts";

/**
 * Ids of the proposals whose effect is in the store already: each of their records stands as they, or a later one of the plan, would leave
 * it. So a plan that was applied in part can be applied again as a whole.
 */
export async function findDone(
  decided: readonly DecidedProposal[],
  store: MemoryStore,
): Promise<ReadonlySet<string>> {
  const changes = decided.flatMap((one) => one.changes);
  const current = await readCurrent(putsOf(foldChanges(changes)).map(toRecordPut), store);
  /** By key: every image that the plan gives the record, with its position. */
  const positions = new Map<string, Map<string, number>>();
  for (const [position, change] of changes.entries()) {
    if (!isPut(change)) continue;
    const key = keysOf(change).join();
    const images = positions.get(key) ?? new Map<string, number>();
    positions.set(key, images.set(hashOf(change.after), position));
  }
  const reached = (key: string): number => {
    const found = current.get(key);
    return (found && positions.get(key)?.get(hashOf(found))) ?? -1;
  };
  const done = new Set<string>();
  let position = 0;
  for (const { proposal, changes: own } of decided) {
    const puts = [...own.entries()].filter(([, change]) => isPut(change));
    const start = position;
    const isDone = puts.every(([at, change]) => reached(keysOf(change).join()) >= start + at);
    if (puts.length > 0 && isDone) done.add(proposal.id);
    position += own.length;
  }
  return done;
}
