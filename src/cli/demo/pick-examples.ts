import type { Change } from "../../model/change.ts";
import type { Memory } from "../../model/memory.ts";
import type { Proposal } from "../../model/proposal.ts";
import type { RunReport } from "../../model/run-report.ts";

/** One proposal of each kind of thing that a night does. */
export interface DemoExamples {
  readonly merge?: Proposal<unknown>;
  readonly conflict?: Proposal<unknown>;
  readonly promotion?: Proposal<unknown>;
  readonly relation?: Proposal<unknown>;
  readonly archive?: Proposal<unknown>;
}

/** The first of each in the order of the run; of merges the one whose texts differ most, as copies make a dull diff. */
export function pickExamples({ fates }: RunReport): DemoExamples {
  const done = fates.filter(({ fate }) => fate === "applied").map(({ proposal }) => proposal);
  const all = fates.map(({ proposal }) => proposal);
  const merges = done.filter(
    ({ agent, changes }) => agent === "merge" && archived(changes).length > 0,
  );
  const [merge] = merges.toSorted((a, b) => spreadOf(b) - spreadOf(a));
  const conflict = all.find(({ agent, results }) => agent === "cluster" && hasConflict(results));
  const promotion = done.find(({ agent, action }) => agent === "promote" && action === "promote");
  const relation = done.find(({ agent, action }) => agent === "relations" && action === "link");
  const archive = done.find(
    ({ agent, changes }) => agent === "decay" && archived(changes).length > 0,
  );
  return {
    ...(merge ? { merge } : {}),
    ...(conflict ? { conflict } : {}),
    ...(promotion ? { promotion } : {}),
    ...(relation ? { relation } : {}),
    ...(archive ? { archive } : {}),
  };
}

function archived(changes: readonly Change[]): Memory[] {
  return changes.flatMap((change) =>
    change.kind === "memory.put" && change.before && change.after?.status === "archived"
      ? [change.before]
      : [],
  );
}

/** How much longer the longest source is than the shortest. */
function spreadOf({ changes }: Proposal<unknown>): number {
  const lengths = archived(changes).map((memory) => memory.content.length);
  return Math.max(0, ...lengths) - Math.min(...lengths);
}

function hasConflict(results: readonly unknown[]): boolean {
  return results.some(
    (result) =>
      typeof result === "object" &&
      result !== null &&
      "action" in result &&
      result.action === "conflict",
  );
}
