import type { Change } from "../../model/change.ts";
import type { Memory } from "../../model/memory.ts";
import { RELATION_TYPES, type Relation, relationId } from "../../model/relation.ts";
import type { View } from "../../ports/view.ts";
import { membersOfFinding, reasonFor } from "./cluster-issue.ts";
import type { Finding } from "./findings.ts";

/** Relates all members to one of them, a promoted or pinned one if there is any, both ways; what is related already stays as it is. */
export function linkChanges(finding: Finding, view: View): readonly Change[] {
  const members = membersOfFinding(finding);
  const [anchor] = finding.node.units.flatMap(({ anchors }) => anchors);
  const centre = anchor ?? members[0];
  if (centre === undefined) return [];
  return members
    .filter((member) => member.id !== centre.id && !areRelated(centre, member, view))
    .flatMap((member) => [
      relate({ from: centre, to: member, finding, view }),
      relate({ from: member, to: centre, finding, view }),
    ]);
}

function areRelated(a: Memory, b: Memory, view: View): boolean {
  return (
    view.relation(a.namespace, idOf(a, b)) !== undefined ||
    view.relation(a.namespace, idOf(b, a)) !== undefined
  );
}

function relate(link: {
  readonly from: Memory;
  readonly to: Memory;
  readonly finding: Finding;
  readonly view: View;
}): Change {
  const { from, to, finding, view } = link;
  const after: Relation = {
    id: idOf(from, to),
    namespace: from.namespace,
    from: from.id,
    to: to.id,
    type: RELATION_TYPES.related,
    strength: Math.max(0, Math.min(1, finding.cohesion)),
    reason: reasonFor(finding),
    metadata: {},
    createdAt: view.now,
    revision: 1,
  };
  return { kind: "relation.put", before: null, after };
}

function idOf(from: Memory, to: Memory): string {
  const { namespace } = from;
  return relationId({ namespace, from: from.id, to: to.id, type: RELATION_TYPES.related });
}
