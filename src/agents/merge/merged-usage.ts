import type { Memory } from "../../model/memory.ts";
import type { View } from "../../ports/view.ts";
import type { MergeSources } from "./merge-sources.ts";

/**
 * Base counters of a merged memory. Views fold the uses of its leaves by themselves; what would be lost are the uses of an earlier merge
 * that is a source now, and of originals that a person's rewriting replaced. Those move into the base, without their dates.
 */
export function foldedBase(
  { sources, leaves, survivor }: MergeSources,
  view: View,
):
  | Pick<Memory, "baseUseCount" | "baseLastUsedAt">
  | { readonly baseLastUsedAt: undefined; readonly baseUseCount: number } {
  const leafIds = new Set(leaves.map(({ record }) => record.id));
  let baseUseCount = survivor?.baseUseCount ?? 0;
  let baseLastUsedAt = survivor?.baseLastUsedAt;
  for (const source of sources) {
    const moved = movedUses(source, { leafIds, isSurvivor: source.id === survivor?.id, view });
    if (moved === 0) continue;
    baseUseCount += moved;
    const { lastUsedAt } = view.usage(source);
    if (lastUsedAt !== undefined) baseLastUsedAt = Math.max(baseLastUsedAt ?? 0, lastUsedAt);
  }
  return { baseUseCount, baseLastUsedAt };
}

/** Uses counted for the source today that nothing of the merged memory would count again. */
function movedUses(
  source: Memory,
  facts: {
    readonly leafIds: ReadonlySet<string>;
    readonly isSurvivor: boolean;
    readonly view: View;
  },
): number {
  const { leafIds, isSurvivor, view } = facts;
  const ownUses = (memory: Memory): number => view.usage({ ...memory, leaves: [] }).useCount;
  const kept = source.leaves
    .filter((id) => leafIds.has(id))
    .flatMap((id) => view.memory(source.namespace, id) ?? [])
    .reduce((sum, leaf) => sum + ownUses(leaf), 0);
  const own = isSurvivor || leafIds.has(source.id) ? ownUses(source) : 0;
  return view.usage(source).useCount - kept - own;
}
