import type { ClusterResult } from "../../model/results.ts";
import type { Settings } from "../../model/settings.ts";
import type { Conflict } from "../../text/conflicts/conflict.ts";
import { type FindingKind, findingFingerprint, type Leaf, uniqueLeaves } from "../leaves.ts";
import { formGroups } from "./form-groups.ts";
import type { Group, GroupingInput } from "./grouping.ts";
import type { Likeness } from "./likeness.ts";
import { linkedNodes, meanSimilarity, type Node } from "./nodes.ts";
import { canContradict, type Row, textOfRow, type Unit } from "./units.ts";

/** One thing that the cluster agent found, with what it proposes. */
export interface Finding {
  readonly action: ClusterResult["action"];
  readonly kind: FindingKind;
  readonly namespace: string;
  readonly node: Pick<Node, "units" | "key">;
  /** Made when first asked for, as are fingerprint and conflicts: a large store has tens of thousands of findings that nobody gets to see. */
  readonly leaves: readonly Leaf[];
  readonly fingerprint: string;
  readonly cohesion: number;
  readonly basis: Group["basis"] | "contradiction" | "pair";
  /** Of a contradiction: how sure its surest conflict is. 0 otherwise. */
  readonly certainty: number;
  readonly conflicts: readonly Conflict[];
  /** Of a contradiction: who says the one, and who says the other. Empty otherwise. */
  readonly sides: readonly (readonly Unit[])[];
}

export interface FoundInNamespace {
  readonly findings: readonly Finding[];
  /** Memories that will be one by the end of the run, each with all its originals. */
  readonly nodes: readonly Node[];
}

export function findInNamespace(
  namespace: string,
  input: Omit<GroupingInput, "isMergeable"> & { readonly rows: readonly Row[] },
): FoundInNamespace {
  const isMergeable = (node: Node): boolean =>
    anchorsOf(node) < 2 && !isTooLong(node, input.rows, input.settings);
  const grouping = { ...input, isMergeable };
  const { groups, nodes } = formGroups(grouping);
  const grouped = groups.map((group) => groupFinding(group, { namespace, isMergeable }));
  return { findings: [...grouped, ...pairFindings({ namespace, nodes, groups, input })], nodes };
}

/** Memories that a person pinned or that have a note: one may be merged into, two stay two. */
function anchorsOf({ units }: Node): number {
  return units.reduce((sum, { anchors }) => sum + anchors.length, 0);
}

function isTooLong({ units, rows }: Node, all: readonly Row[], settings: Settings): boolean {
  // Copies, and a text with its parts, grow by nothing.
  if (units.length === 1 || rows.length === 1) return false;
  const length = rows
    .flatMap((row) => all[row] ?? [])
    .reduce((sum, row) => sum + textOfRow(row).length, 0);
  return length > settings.merge.maxCharacters;
}

function groupFinding(
  group: Group,
  facts: { readonly namespace: string; readonly isMergeable: (node: Node) => boolean },
): Finding {
  const { node, cohesion, basis } = group;
  const isMerge = facts.isMergeable(node);
  const kind = isMerge ? "merge" : "link";
  const action = !isMerge ? "link" : basis === "review" ? "llm_review" : "auto_merge";
  return finding(kind, { ...facts, node, cohesion, basis, action, sides: [] });
}

function pairFindings(found: {
  readonly namespace: string;
  readonly nodes: readonly Node[];
  readonly groups: readonly Group[];
  readonly input: Omit<GroupingInput, "isMergeable">;
}): readonly Finding[] {
  const { namespace, nodes, groups, input } = found;
  const groupsOf = new Map<Node["units"][number], Set<Group>>();
  for (const group of groups) {
    for (const unit of group.node.units) {
      groupsOf.set(unit, (groupsOf.get(unit) ?? new Set()).add(group));
    }
  }
  const shareGroup = (a: Node, b: Node): boolean =>
    a.units.some((unit) =>
      b.units.some((other) =>
        [...(groupsOf.get(unit) ?? [])].some((group) => groupsOf.get(other)?.has(group)),
      ),
    );
  const findings: Finding[] = [];
  const { first, second } = linkedNodes(nodes, input.rowPairs);
  for (const [at, one] of first.entries()) {
    const [a, b] = [nodes[one], nodes[second[at] ?? 0]];
    if (a === undefined || b === undefined || shareGroup(a, b)) continue;
    findings.push(pairFinding(a, b, { namespace, likeness: input.likeness }));
  }
  return findings;
}

function pairFinding(
  a: Node,
  b: Node,
  { namespace, likeness }: { readonly namespace: string; readonly likeness: Likeness },
): Finding {
  const mayContradict = a.units.every((unit) =>
    b.units.every((other) => canContradict(unit, other)),
  );
  const certainty = mayContradict ? greatestCertainty(a, b, likeness) : 0;
  const node = { units: [...a.units, ...b.units], key: a.key };
  const common = { namespace, node, cohesion: meanSimilarity(a, b, likeness) };
  return certainty > 0
    ? finding("conflict", {
        ...common,
        basis: "contradiction",
        action: "conflict",
        sides: [a.units, b.units],
        certainty,
        findConflicts: () =>
          a.rows.flatMap((row) => b.rows.flatMap((other) => likeness.contradictions(row, other))),
      })
    : finding("separate", { ...common, basis: "pair", action: "keep_separate", sides: [] });
}

function greatestCertainty(a: Node, b: Node, { certainty }: Likeness): number {
  let greatest = 0;
  for (const row of a.rows) {
    for (const other of b.rows) greatest = Math.max(greatest, certainty(row, other));
  }
  return greatest;
}

interface Facts
  extends Pick<Finding, "namespace" | "node" | "cohesion" | "basis" | "action" | "sides"> {
  readonly certainty?: number;
  readonly findConflicts?: () => readonly Conflict[];
}

function finding(kind: Finding["kind"], facts: Facts): Finding {
  return new FoundThing(kind, facts);
}

/** A class, whose getters all findings share: with closures of their own, fifty thousand findings of a large store took 120 MB. */
class FoundThing implements Finding {
  readonly kind: Finding["kind"];
  readonly namespace: string;
  readonly node: Finding["node"];
  readonly cohesion: number;
  readonly basis: Finding["basis"];
  readonly action: Finding["action"];
  readonly sides: Finding["sides"];
  readonly certainty: number;
  readonly #findConflicts: (() => readonly Conflict[]) | undefined;
  #leaves: readonly Leaf[] | undefined;
  #fingerprint: string | undefined;
  #conflicts: readonly Conflict[] | undefined;

  constructor(kind: Finding["kind"], facts: Facts) {
    this.kind = kind;
    this.namespace = facts.namespace;
    this.node = facts.node;
    this.cohesion = facts.cohesion;
    this.basis = facts.basis;
    this.action = facts.action;
    this.sides = facts.sides;
    this.certainty = facts.certainty ?? 0;
    this.#findConflicts = facts.findConflicts;
  }

  get leaves(): readonly Leaf[] {
    this.#leaves ??= uniqueLeaves(this.node.units.flatMap((unit) => unit.leaves));
    return this.#leaves;
  }

  get fingerprint(): string {
    const { kind, namespace, leaves } = this;
    this.#fingerprint ??= findingFingerprint({ kind, namespace, leaves });
    return this.#fingerprint;
  }

  get conflicts(): readonly Conflict[] {
    this.#conflicts ??= this.#findConflicts?.() ?? [];
    return this.#conflicts;
  }
}
