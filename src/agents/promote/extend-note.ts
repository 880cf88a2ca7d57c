import type { Memory } from "../../model/memory.ts";
import type { Outcome } from "../../model/proposal.ts";
import { RELATION_TYPES, type Relation, relationId } from "../../model/relation.ts";
import type { PromotionResult } from "../../model/results.ts";
import type { View } from "../../ports/view.ts";
import { hold, proposed } from "../proposing.ts";
import type { Restated } from "./near-duplicates.ts";

/** As sure as a promotion by one criterion: nothing is taken away, and undo takes the line out of the note. */
const CONFIDENCE = 0.92;

/**
 * A memory that says what a note says already gets no note of its own: a relation makes it a line of that note, with its source. It stays
 * an active memory, which a person may still merge or promote by force.
 */
export function extendNote(
  memory: Memory,
  { memory: noted, similarity, proposalId }: Restated,
  { view, itemId }: { readonly view: View; readonly itemId: string },
): readonly Outcome<PromotionResult>[] {
  const held = hold(itemId, "near_duplicate");
  const { namespace } = memory;
  const link = { namespace, from: memory.id, to: noted.id, type: RELATION_TYPES.restates };
  if (view.relation(namespace, relationId(link)) !== undefined) return [held];
  const reason = `its note would say what the note of ${noted.id} says (similarity ${similarity.toFixed(2)})`;
  const after: Relation = {
    ...link,
    id: relationId(link),
    strength: Math.min(1, similarity),
    reason,
    metadata: {},
    createdAt: view.now,
    revision: 1,
  };
  const extending = proposed<PromotionResult>({
    agent: "promote",
    namespace,
    action: "extend",
    subject: [memory.id, memory.content, noted.id, noted.content],
    results: [],
    confidence: CONFIDENCE,
    reason,
    dependsOn: proposalId === undefined ? [] : [proposalId],
    changes: [{ kind: "relation.put", before: null, after }],
    finding: {
      title: `Extend the note of ${noted.id}`,
      urgency: "low",
      members: [memory, noted],
      scores: { similarity },
    },
  });
  return [held, extending];
}
