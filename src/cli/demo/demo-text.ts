import type { ImportReport } from "../../intake/import-memories.ts";
import type { Proposal } from "../../model/proposal.ts";
import type { RunReport } from "../../model/run-report.ts";
import { oneLine, type Paint, printable } from "../paint.ts";
import { changeLines } from "../reporters/proposal-lines.ts";
import type { DemoExamples } from "./pick-examples.ts";

export interface DemoOutcome {
  readonly folder: string;
  readonly store: string;
  readonly vault: string;
  readonly imported: ImportReport;
  readonly dry: RunReport;
  readonly live: RunReport;
  readonly examples: DemoExamples;
}

const LENGTH = 90;

/** The demo as a short story: what came in, what a night made of it, one example of each, and where to look on. */
export function demoText(outcome: DemoOutcome, paint: Paint): string {
  const { imported, dry, live, examples, vault, store } = outcome;
  return [
    paint.bold("Six weeks of an agent's memories, and one night of consolidation"),
    "",
    `imported   ${imported.added} memories and ${imported.relations.added} relations`,
    `dry run    ${countsOf(dry, "planned")}`,
    `live run   ${countsOf(live, "applied")}`,
    isSame(dry, live)
      ? "The live run did what the dry run had shown, step for step."
      : paint.red("The live run differed from the dry run."),
    ...example(paint.bold("A merge: every fact of its sources is in it"), examples.merge, (one) =>
      changeLines(one, paint),
    ),
    ...example(
      paint.bold("A refused merge: alike, and contradicting each other"),
      examples.conflict,
      (one) => conflictLines(one, paint),
    ),
    ...example(paint.bold("A promotion: proved by use, now a note"), examples.promotion, (one) =>
      changeLines(one, paint),
    ),
    ...example(paint.bold("A relation: they speak of the same things"), examples.relation, (one) =>
      changeLines(one, paint),
    ),
    ...example(paint.bold("An archived memory: nobody will miss it"), examples.archive, (one) =>
      changeLines(one, paint),
    ),
    "",
    `Open ${paint.green(vault)} in Obsidian.`,
    `Look around: slowwave list --store ${store}, slowwave issues list --store ${store}`,
    `Throw it away: delete ${outcome.folder}`,
  ].join("\n");
}

function countsOf({ agents }: RunReport, field: "planned" | "applied"): string {
  return Object.entries(agents)
    .map(([name, agent]) => `${name} ${agent[field] - (field === "planned" ? agent.waiting : 0)}`)
    .join(", ");
}

/** Same proposals in the same order; planned there, applied here. */
function isSame(dry: RunReport, live: RunReport): boolean {
  const told = (report: RunReport, fate: "planned" | "applied") =>
    report.fates.filter((one) => one.fate === fate).map(({ proposal }) => proposal.id);
  return told(dry, "planned").join() === told(live, "applied").join();
}

function example(
  title: string,
  proposal: Proposal<unknown> | undefined,
  lines: (proposal: Proposal<unknown>) => string[],
): string[] {
  if (proposal === undefined) return [];
  return ["", title, ...lines(proposal).map((line) => `  ${line}`)];
}

function conflictLines({ finding, reason }: Proposal<unknown>, paint: Paint): string[] {
  return [
    ...finding.members.map(
      ({ id, content }) => `${paint.bold(printable(id))}  ${oneLine(content, LENGTH)}`,
    ),
    `kept apart: ${oneLine(reason, 2 * LENGTH)}`,
  ];
}
