import { averageLinkGroups, cohesion, completeLinkGroups } from "../../similarity/clustering.ts";
import { compareIds } from "../work-items.ts";
import { absorbParts } from "./absorb-parts.ts";
import type { Group, Grouping, GroupingInput } from "./grouping.ts";
import type { Likeness } from "./likeness.ts";
import {
  areNodesCompatible,
  everyPair,
  leastSimilarity,
  linkedNodes,
  meanSimilarity,
  measurePairs,
  type Node,
  nodeOf,
  somePair,
} from "./nodes.ts";

/**
 * Groups in passes, each over what the earlier ones left: copies and parts, what may be merged unseen, what is alike throughout, what is
 * alike on average. What will be merged counts as one memory from there on, as it will in the next run: so the next run finds the same.
 */
export function formGroups(input: GroupingInput): Grouping {
  const whole = absorbParts(input);
  const safe = safeGroups(whole, input);
  const merged = safe.filter(({ node, basis }) => basis === "alike" && input.isMergeable(node));
  const nodes = [...without(whole, merged), ...merged.map(({ node }) => node)].sort((a, b) =>
    compareIds(a.key, b.key),
  );
  const waiting = safe.filter((group) => !merged.includes(group));
  const left = without(nodes, waiting);
  const tight = completeLink(left, input, neverTogether(input)).map((node) => review(node, input));
  const loose = looseNodes(without(left, tight), input).map((node) => review(node, input));
  const exact = without(whole, merged).flatMap((node) => exactGroup(node, input));
  return { groups: [...exact, ...safe, ...tight, ...loose], nodes };
}

/** A node that is more than one memory already: of copies, or of a text and its parts. */
function exactGroup(node: Node, { settings }: GroupingInput): readonly Group[] {
  const members = node.units.flatMap((unit) => unit.members);
  if (members.length < settings.cluster.minClusterSize) return [];
  return [{ node, cohesion: 1, basis: node.units.length === 1 ? "copies" : "contained" }];
}

function safeGroups(nodes: readonly Node[], input: GroupingInput): readonly Group[] {
  const { likeness, settings } = input;
  const isUnsafe = (a: Node, b: Node): boolean =>
    !areNodesCompatible(a, b) || !everyPair(a, b, likeness.isSafe);
  return completeLink(nodes, input, isUnsafe).map((node): Group => {
    const value = cohesionOf(node, likeness);
    const isAlike = value >= settings.cluster.autoMergeCohesion;
    return { node, cohesion: value, basis: isAlike ? "alike" : "review" };
  });
}

function completeLink(
  nodes: readonly Node[],
  input: GroupingInput,
  blocked: (a: Node, b: Node) => boolean,
): readonly Node[] {
  const least = (a: Node, b: Node): number => leastSimilarity(a, b, input.likeness);
  const options = groupOptions(nodes, input, { measure: least, blocked });
  const threshold = input.settings.cluster.similarityThreshold;
  return toNodes(completeLinkGroups({ ...options, threshold }), nodes, input);
}

function looseNodes(nodes: readonly Node[], input: GroupingInput): readonly Node[] {
  const mean = (a: Node, b: Node): number => meanSimilarity(a, b, input.likeness);
  const options = groupOptions(nodes, input, { measure: mean, blocked: neverTogether(input) });
  const threshold = input.settings.cluster.linkThreshold;
  return toNodes(averageLinkGroups({ ...options, threshold }), nodes, input);
}

function groupOptions(
  nodes: readonly Node[],
  { rowPairs, settings }: GroupingInput,
  how: {
    readonly measure: (a: Node, b: Node) => number;
    readonly blocked: (a: Node, b: Node) => boolean;
  },
) {
  const between = <T>(a: number, b: number, use: (a: Node, b: Node) => T): T | undefined => {
    const [one, other] = [nodes[a], nodes[b]];
    return one && other && use(one, other);
  };
  const similarity = (a: number, b: number): number => between(a, b, how.measure) ?? 0;
  return {
    size: nodes.length,
    pairs: measurePairs(linkedNodes(nodes, rowPairs), similarity),
    keys: nodes.map(({ key }) => key),
    weight: (at: number) => nodes[at]?.weight ?? 1,
    maxSize: settings.cluster.maxClusterSize,
    blocked: (a: number, b: number) => between(a, b, how.blocked) ?? true,
    similarity,
  };
}

function toNodes(
  groups: readonly (readonly number[])[],
  nodes: readonly Node[],
  { settings, containment }: GroupingInput,
): readonly Node[] {
  return groups
    .map((members) =>
      nodeOf(
        members.flatMap((at) => nodes[at]?.units ?? []),
        containment,
      ),
    )
    .filter(
      ({ units }) =>
        units.flatMap(({ members }) => members).length >= settings.cluster.minClusterSize,
    );
}

/** Memories of different kinds or periods, or that contradict each other, are in no group, not even for a person to approve. */
function neverTogether({ likeness }: GroupingInput): (a: Node, b: Node) => boolean {
  return (a, b) => !areNodesCompatible(a, b) || somePair(a, b, likeness.exclude);
}

function review(node: Node, { likeness }: GroupingInput): Group {
  return { node, cohesion: cohesionOf(node, likeness), basis: "review" };
}

function cohesionOf({ rows }: Node, likeness: Likeness): number {
  return cohesion(rows, likeness.similarity);
}

function without(nodes: readonly Node[], groups: readonly Group[]): readonly Node[] {
  const grouped = new Set(groups.flatMap(({ node }) => node.units));
  return nodes.filter(({ units }) => !units.some((unit) => grouped.has(unit)));
}
