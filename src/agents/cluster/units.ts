import { isLive, type Memory } from "../../model/memory.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { comparableText, isAnchored, type Leaf, leavesOf, uniqueLeaves } from "../leaves.ts";
import { compareIds } from "../work-items.ts";
import type { Reading, Readings } from "./readings.ts";

/** What is grouped: a live memory, or several that are exact copies of each other. */
export interface Unit {
  /** By id; more than one are copies. */
  readonly members: readonly Memory[];
  readonly leaves: readonly Leaf[];
  /** The distinct texts that it consists of. */
  readonly rows: readonly number[];
  /** The first name among its leaves: the same before and after they are merged. */
  readonly key: string;
  /** Promoted or pinned members. */
  readonly anchors: readonly Memory[];
}

/** A text that some original says, whoever says it. */
export interface Row {
  readonly reading: Reading;
  /** One of those that say it: its vector stands for all. */
  readonly record: Memory;
}

/** With absolute dates beside relative phrases, for comparison. */
export function textOfRow({ reading, record }: Row): string {
  return reading.isDated ? comparableText(record) : record.content;
}

export interface Units {
  /** By key. */
  readonly units: readonly Unit[];
  readonly rows: readonly Row[];
  readonly scanned: number;
}

/** The live memories of a namespace that are in scope, without those that this run will archive, copies put together. */
export function readUnits(
  namespace: string,
  {
    context,
    readings,
    gone,
  }: {
    readonly context: AgentContext;
    readonly readings: Readings;
    readonly gone: ReadonlySet<string>;
  },
): Units {
  const { view } = context;
  const memories = view
    .memories(namespace)
    .filter((memory) => isLive(memory) && context.inScope(memory) && !gone.has(memory.id));
  const rows: Row[] = [];
  const rowByText = new Map<string, number>();
  const rowOf = (record: Memory): number => {
    const reading = readings.of(record);
    const known = rowByText.get(reading.copyKey);
    if (known !== undefined) return known;
    rowByText.set(reading.copyKey, rows.length);
    return rows.push({ reading, record }) - 1;
  };
  const units = groupCopies(memories, readings).map((members): Unit => {
    const leaves = uniqueLeaves(members.flatMap((member) => leavesOf(member, view)));
    const names = leaves.map(({ name }) => name).sort(compareIds);
    return {
      members,
      leaves,
      rows: [...new Set(leaves.map(({ record }) => rowOf(record)))],
      key: names[0] ?? "",
      anchors: members.filter((member) => isAnchored(member) && !wasPromotedNow(member, view.now)),
    };
  });
  units.sort((a, b) => compareIds(a.key, b.key));
  return { units, rows, scanned: memories.length };
}

/** Promoted after this agent ran, by the run's clock: a second run at the same clock must find what the first one found. */
function wasPromotedNow({ promotedAt, pinned }: Memory, now: number): boolean {
  return !pinned && promotedAt !== undefined && promotedAt >= now;
}

/** Memories that may be merged into one another at all: one kind of knowledge, true in the same period. */
export function areCompatible(a: Unit, b: Unit): boolean {
  const [one, other] = [a.members[0], b.members[0]];
  if (one === undefined || other === undefined) return false;
  return (
    one.kind === other.kind && one.validFrom === other.validFrom && one.validTo === other.validTo
  );
}

/** One kind of knowledge, in periods that overlap: what was so until March does not contradict what is so since. */
export function canContradict(a: Unit, b: Unit): boolean {
  const [one, other] = [a.members[0], b.members[0]];
  if (one === undefined || other === undefined || one.kind !== other.kind) return false;
  return startOf(one) < endOf(other) && startOf(other) < endOf(one);
}

function startOf({ validFrom = Number.NEGATIVE_INFINITY }: Memory): number {
  return validFrom;
}

function endOf({ validTo = Number.POSITIVE_INFINITY }: Memory): number {
  return validTo;
}

function groupCopies(
  memories: readonly Memory[],
  readings: Readings,
): readonly (readonly Memory[])[] {
  const groups = new Map<string, Memory[]>();
  for (const memory of memories) {
    const { copyKey } = readings.of(memory);
    const { kind, validFrom = "", validTo = "" } = memory;
    // Without words there is nothing in which two memories could agree; no id starts with a tab.
    const key = copyKey === "" ? memory.id : `\t${kind}\t${validFrom}\t${validTo}\t${copyKey}`;
    const group = groups.get(key);
    if (group) group.push(memory);
    else groups.set(key, [memory]);
  }
  return [...groups.values()];
}
