import { compareIds } from "../work-items.ts";
import type { GroupingInput } from "./grouping.ts";
import { areNodesCompatible, type Node, nodeOf } from "./nodes.ts";
import type { Unit } from "./units.ts";

/**
 * Puts every unit whose texts another unit's text holds to that unit, as far as the two may become one memory. A complete-link group
 * could not: two sentences of one long memory need not be alike.
 */
export function absorbParts(input: GroupingInput): readonly Node[] {
  const { units, containment } = input;
  const nodes = new Map(units.map((unit) => [unit, nodeOf([unit], containment)]));
  const unitsByRow = groupByRow(nodes);
  for (const unit of units) {
    const part = nodes.get(unit);
    if (part === undefined) continue;
    const wholes = wholeRowsOf(part, input).flatMap((row) => unitsByRow.get(row) ?? []);
    const whole = wholes.find((other) => other !== unit && canJoin(nodes.get(other), part, input));
    const node = whole && nodes.get(whole);
    if (whole === undefined || node === undefined) continue;
    nodes.set(whole, nodeOf([...node.units, ...part.units], containment));
    nodes.delete(unit);
  }
  return [...nodes.values()].sort((a, b) => compareIds(a.key, b.key));
}

function groupByRow(nodes: ReadonlyMap<Unit, Node>): ReadonlyMap<number, readonly Unit[]> {
  const unitsByRow = new Map<number, Unit[]>();
  for (const [unit, { rows }] of nodes) {
    for (const row of rows) {
      const known = unitsByRow.get(row);
      if (known) known.push(unit);
      else unitsByRow.set(row, [unit]);
    }
  }
  return unitsByRow;
}

function canJoin(whole: Node | undefined, part: Node, input: GroupingInput): boolean {
  if (whole === undefined || !areNodesCompatible(whole, part)) return false;
  const joined = nodeOf([...whole.units, ...part.units], input.containment);
  return joined.weight <= input.settings.cluster.maxClusterSize && input.isMergeable(joined);
}

/** Texts held by no other that hold all of the unit's. */
function wholeRowsOf({ rows }: Node, { containment }: GroupingInput): readonly number[] {
  const [first, ...rest] = rows;
  if (first === undefined) return [];
  return containment
    .outermost(first)
    .filter((whole) => rest.every((row) => containment.holds(whole, row)))
    .sort((a, b) => a - b);
}
