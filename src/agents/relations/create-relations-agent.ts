import type { Change } from "../../model/change.ts";
import { isLive, type Memory } from "../../model/memory.ts";
import type { Outcome } from "../../model/proposal.ts";
import { RELATION_TYPES, type Relation, relationId } from "../../model/relation.ts";
import type { RelationResult } from "../../model/results.ts";
import type { Agent, AgentContext } from "../../ports/agent.ts";
import type { View } from "../../ports/view.ts";
import { proposed } from "../proposing.ts";
import { type EntityIndex, indexEntities } from "./entity-index.ts";
import { findLinks, type Link } from "./find-links.ts";

/** Confidence by how many entities two memories share: one may be chance, three are not. */
const CONFIDENCE_BY_SHARED = [0.75, 0.85, 0.95] as const;

/** Links live memories that speak of the same things. */
export function createRelationsAgent(): Agent<RelationResult> {
  let work: ReadonlyMap<string, FoundLink> = new Map();
  return {
    name: "relations",
    scan: async (context) => {
      const links = new Map<string, FoundLink>();
      const notes: string[] = [];
      let scanned = 0;
      let refused = 0;
      for (const namespace of context.view.namespaces()) {
        // One namespace after the other: each may take the whole of a core.
        const part = await scanNamespace(namespace, context);
        for (const link of part.found) links.set(link.id, link);
        notes.push(...part.notes);
        scanned += part.scanned;
        refused += part.refused;
      }
      work = links;
      const held = refused > 0 ? { link_limit: refused } : {};
      return { items: [...work.keys()], scanned, held, notes };
    },
    process: (itemId, context) => {
      const link = work.get(itemId);
      return link === undefined ? [] : [proposeLink(link, context.view)];
    },
  };
}

interface FoundLink {
  /** Of the relation from the first to the second. */
  readonly id: string;
  readonly first: Memory;
  readonly second: Memory;
  readonly strength: number;
  readonly shared: readonly string[];
}

async function scanNamespace(namespace: string, context: AgentContext) {
  const { view, settings, signal } = context;
  const index = indexEntities(view.memories(namespace).filter(isLive), settings.relations);
  const inScope = index.memories.map((memory) => context.inScope(memory));
  const neighbours = index.memories.map((memory) => relatedTo(memory, view));
  const { perMemory } = settings.relations;
  const search = await findLinks({
    index,
    perMemory,
    room: neighbours.map(({ live }) => perMemory - live),
    isCandidate: (row) => inScope[row] === true,
    areLinked: (first, second) =>
      neighbours[first]?.ids.has(index.memories[second]?.id ?? "") === true,
    signal,
  });
  return {
    found: search.links.flatMap((link) => foundLink(link, index)),
    refused: search.refused,
    scanned: inScope.filter(Boolean).length,
    notes: hubNotes(index.hubs),
  };
}

/** Memories that it is related to in either direction. Links to archived ones take no room, yet are not made twice. */
function relatedTo(memory: Memory, view: View) {
  const ids = new Set<string>();
  for (const { type, otherId } of view.tiesOf(memory.namespace, memory.id)) {
    if (type === RELATION_TYPES.related) ids.add(otherId);
  }
  let live = 0;
  for (const id of ids) {
    const other = view.memory(memory.namespace, id);
    if (id !== memory.id && other !== undefined && isLive(other)) live += 1;
  }
  return { ids, live };
}

function foundLink(link: Link, index: EntityIndex): readonly FoundLink[] {
  const first = index.memories[link.first];
  const second = index.memories[link.second];
  if (first === undefined || second === undefined) return [];
  const shared = index.shared(link.first, link.second);
  return [{ id: idOf(first, second), first, second, strength: link.strength, shared }];
}

function proposeLink(link: FoundLink, view: View): Outcome<RelationResult> {
  const { first, second, strength, shared } = link;
  const result: RelationResult = {
    fromId: first.id,
    toId: second.id,
    relationType: RELATION_TYPES.related,
    created: true,
    strength,
  };
  const reason = `both speak of ${shared.join(", ")}`;
  return proposed({
    agent: "relations",
    namespace: first.namespace,
    action: "link",
    subject: [first.id, second.id],
    results: [result],
    confidence: CONFIDENCE_BY_SHARED[Math.min(shared.length, 3) - 1] ?? 0,
    reason,
    changes: [putOf(link, reason, view), putOf(reversed(link), reason, view)],
    finding: {
      title: `Link two memories that speak of ${shared.join(", ")}`,
      urgency: "low",
      members: [first, second],
      scores: { strength, shared: shared.length },
    },
  });
}

function reversed(link: FoundLink): FoundLink {
  const [first, second] = [link.second, link.first];
  return { ...link, id: idOf(first, second), first, second };
}

function putOf(
  { id, first, second, strength, shared }: FoundLink,
  reason: string,
  view: View,
): Change {
  const after: Relation = {
    id,
    namespace: first.namespace,
    from: first.id,
    to: second.id,
    type: RELATION_TYPES.related,
    strength,
    reason,
    metadata: { sharedEntities: shared },
    createdAt: view.now,
    revision: 1,
  };
  return { kind: "relation.put", before: null, after };
}

function idOf(from: Memory, to: Memory): string {
  const { namespace } = from;
  return relationId({ namespace, from: from.id, to: to.id, type: RELATION_TYPES.related });
}

function hubNotes(hubs: readonly string[]): readonly string[] {
  if (hubs.length === 0) return [];
  const shown = hubs.slice(0, 5).join(", ");
  const more = hubs.length > 5 ? ` and ${hubs.length - 5} more` : "";
  return [`held by too many memories to link any: ${shown}${more}`];
}
