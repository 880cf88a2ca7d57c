import type { Change } from "../../model/change.ts";
import { type Memory, reviseMemory } from "../../model/memory.ts";
import { RELATION_TYPES, type Relation, relationId } from "../../model/relation.ts";
import type { View } from "../../ports/view.ts";
import { reasonFor } from "./cluster-issue.ts";
import type { Finding } from "./findings.ts";

/** Marks both sides as disputed and relates them both ways; what is so already stays as it is. */
export function disputeChanges(finding: Finding, view: View): readonly Change[] {
  const [first = [], second = []] = finding.sides.map((side) =>
    side.flatMap((unit) => unit.members),
  );
  const relations = first.flatMap((a) =>
    second.flatMap((b) => [
      ...relate({ from: a, to: b, finding, view }),
      ...relate({ from: b, to: a, finding, view }),
    ]),
  );
  return [...[...first, ...second].flatMap((memory) => setDisputed(memory, true)), ...relations];
}

export function setDisputed(memory: Memory, disputed: boolean): readonly Change[] {
  if (memory.disputed === disputed) return [];
  return [{ kind: "memory.put", before: memory, after: reviseMemory(memory, { disputed }) }];
}

function relate(link: {
  readonly from: Memory;
  readonly to: Memory;
  readonly finding: Finding;
  readonly view: View;
}): readonly Change[] {
  const { from, to, finding, view } = link;
  const id = contradictsId(from, to);
  const known = view.relation(from.namespace, id);
  if (known !== undefined && isOpenDispute(known)) return [];
  const after: Relation = {
    id,
    namespace: from.namespace,
    from: from.id,
    to: to.id,
    type: RELATION_TYPES.contradicts,
    strength: finding.certainty,
    reason: reasonFor(finding),
    metadata: { kinds: [...new Set(finding.conflicts.map(({ kind }) => kind))] },
    createdAt: known?.createdAt ?? view.now,
    revision: (known?.revision ?? 0) + 1,
  };
  return [{ kind: "relation.put", before: known ?? null, after }];
}

/** A contradiction that nobody has settled yet. */
export function isOpenDispute({ type, metadata }: Relation): boolean {
  return type === RELATION_TYPES.contradicts && metadata.settled === undefined;
}

/** The contradiction stays on record, with how it ended. */
export function settle(relation: Relation, how: string): Change {
  const metadata = { ...relation.metadata, settled: how };
  const after = { ...relation, metadata, revision: relation.revision + 1 };
  return { kind: "relation.put", before: relation, after };
}

/** What the view has of the contradiction between two memories, in both directions. */
export function openDisputesBetween(a: Memory, b: Memory, view: View): readonly Relation[] {
  return [contradictsId(a, b), contradictsId(b, a)]
    .flatMap((id) => view.relation(a.namespace, id) ?? [])
    .filter(isOpenDispute);
}

function contradictsId(from: Memory, to: Memory): string {
  const { namespace } = from;
  return relationId({ namespace, from: from.id, to: to.id, type: RELATION_TYPES.contradicts });
}
