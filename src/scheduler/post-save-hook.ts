import { decayActionOf, urgencyOf } from "../model/decay-action.ts";
import { decayScore } from "../model/decay-score.ts";
import { isLive } from "../model/memory.ts";
import type { DecayResult } from "../model/results.ts";
import type { RunDeps } from "./run-deps.ts";
import { createUsageIndex } from "./usage-index.ts";

export type UrgentMemory = Pick<DecayResult, "memoryId" | "urgency" | "action">;

/**
 * Tells at once that a memory just saved is at high risk already (an import brings old ones): its decay score is below the high bound.
 * Reads that memory, its uses and its relations only.
 */
export async function postSaveHook(
  deps: Pick<RunDeps, "store" | "settings" | "clock">,
  memory: { readonly namespace: string; readonly id: string },
): Promise<UrgentMemory | null> {
  const [found] = await deps.store.read("memory", {
    namespace: memory.namespace,
    ids: [memory.id],
  });
  if (found === undefined || !isLive(found)) return null;
  const now = deps.clock.now();
  const uses = await deps.store.readUses({
    namespace: memory.namespace,
    memoryIds: [memory.id, ...found.leaves],
  });
  const usage = createUsageIndex(uses, now).of(found, () => undefined);
  const settings = deps.settings.decay;
  const urgency = urgencyOf(decayScore({ memory: found, usage, now, settings }), settings);
  if (urgency !== "high") return null;
  const relations = await deps.store.read("relation", {
    namespace: memory.namespace,
    touching: [memory.id],
  });
  const isLinked = relations.some((relation) => !relation.undone);
  const action = decayActionOf({ memory: found, usage, isLinked, now, settings });
  return { memoryId: found.id, urgency, action };
}
