import { toIso } from "../../model/instant.ts";
import type { AgentReport, ProposalFate, RunReport } from "../../model/run-report.ts";
import { type Paint, printable } from "../paint.ts";
import { gateWord, gateWords } from "./gate-words.ts";
import { modelUseLines } from "./model-words.ts";
import { noteDiffs } from "./note-diff.ts";
import { changeLines } from "./proposal-lines.ts";
import { sizeWords } from "./size-words.ts";

/** Per agent; what is beyond is counted, and `--json` has it all. */
const SHOWN_PER_AGENT = 20;

/** A run for people: per agent what it did, what it held back and why, and one line a change. */
export function runText(report: RunReport, paint: Paint): string {
  const { run, agents, notes } = report;
  const title = run.dryRun
    ? `${paint.bold(`dry run ${run.id}`)}: nothing was written`
    : `${paint.bold(`run ${run.id}`)} ${statusWord(run.status, paint)}`;
  const about = [
    ...modelUseLines(report.modelUse),
    ...(report.measures === undefined ? [] : [`size: ${sizeWords(report.measures)}`]),
    ...notes.map((note) => {
      const isAlarm = report.alarms?.includes(note) === true;
      return isAlarm ? paint.yellow(`alarm: ${printable(note)}`) : `note: ${printable(note)}`;
    }),
  ];
  return [
    `${title} (as of ${toIso(run.asOf)})`,
    ...Object.entries(agents).flatMap(([name, agent]) => [
      "",
      ...agentLines(name, { agent, report, paint }),
    ]),
    ...(about.length > 0 ? ["", ...about] : []),
    "",
    ...nextSteps(report),
  ].join("\n");
}

function statusWord(status: RunReport["run"]["status"], paint: Paint): string {
  return status === "completed" ? paint.green("completed") : paint.red(status);
}

interface AgentContext {
  readonly agent: AgentReport;
  readonly report: RunReport;
  readonly paint: Paint;
}

function agentLines(name: string, { agent, report, paint }: AgentContext): string[] {
  const verb = report.run.dryRun ? "would do" : "did";
  const done = report.run.dryRun ? agent.planned - agent.waiting : agent.applied;
  const counts = [
    `looked at ${agent.scanned}`,
    `${verb} ${done}`,
    ...(agent.waiting > 0 ? [`${agent.waiting} wait for a person`] : []),
    ...(agent.failed > 0 ? [paint.red(`${agent.failed} failed`)] : []),
  ];
  const held = gateWords(agent.gates);
  const changes = report.fates.filter(
    ({ proposal, fate }) => proposal.agent === name && fate !== "none",
  );
  const shown = changes
    .slice(0, SHOWN_PER_AGENT)
    .flatMap((fate) => fateLines(fate, { paint, withNotes: report.run.dryRun }));
  const rest = changes.length - SHOWN_PER_AGENT;
  return [
    `${paint.bold(name.padEnd(9))} ${counts.join(", ")}`,
    ...(held === "" ? [] : [`  held back: ${held}`]),
    ...shown,
    ...(rest > 0 ? [paint.dim(`  … and ${rest} more; --json shows all`)] : []),
    ...agent.failures.map(({ itemId, message }) =>
      paint.red(`  failed ${printable(itemId)}: ${printable(message)}`),
    ),
  ];
}

/** Of a dry run the notes too, as they would change: it is there to be judged. */
function fateLines(
  { proposal, fate, why, changes }: ProposalFate,
  { paint, withNotes }: { readonly paint: Paint; readonly withNotes: boolean },
): string[] {
  const [first = "", ...rest] = changeLines(proposal, paint);
  const more = withNotes ? [...rest, ...noteDiffs(changes, paint)] : rest;
  switch (fate) {
    case "refused":
      return [`  ${paint.red("refused")} ${first}: ${printable(why ?? "the store has moved on")}`];
    case "waiting":
      return [`  ${paint.yellow("waits")} ${first} (${gateWord(why ?? "review")})`];
    case "planned":
    case "applied":
    case "none":
      return [`  ${first}`, ...more.map((line) => `    ${line}`)];
  }
}

/** What a person may want to do next, only where there is something. */
function nextSteps({ run, agents }: RunReport): string[] {
  const sum = (field: "planned" | "waiting" | "failed") =>
    Object.values(agents).reduce((total, agent) => total + agent[field], 0);
  const steps: string[] = [];
  if (run.dryRun && sum("planned") > 0) steps.push("`slowwave run` does it.");
  if (sum("waiting") > 0) steps.push("`slowwave issues list` shows what waits for you.");
  if (sum("failed") > 0) steps.push("The next run tries again what failed.");
  if (sum("planned") === 0 && sum("failed") === 0) steps.push("There was nothing to do.");
  return steps;
}
