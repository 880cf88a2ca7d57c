import { toIso } from "../../model/instant.ts";
import type { AgentCounts, JournalEntry, JournalStep, Run } from "../../model/run.ts";
import { type Paint, printable } from "../paint.ts";
import { gateWords } from "./gate-words.ts";
import { modelUseLines, replyWords } from "./model-words.ts";
import { scoreChart } from "./score-chart.ts";
import { sizeWords } from "./size-words.ts";

export interface RunStep extends JournalStep {
  readonly batch: number;
  readonly state: JournalEntry["state"];
}

/** One run of the past: how long it took, what it made of the store, and what each agent did and why. */
export function runPage(run: Run, steps: readonly RunStep[], paint: Paint): string {
  const { measures, tookMs } = run;
  const about = [
    ...(tookMs === undefined ? [] : [`took ${duration(tookMs)}`]),
    ...modelUseLines(run.modelUse),
    ...(measures === undefined ? [] : [`size: ${sizeWords(measures)}`]),
    ...run.notes.map((note) => `note: ${printable(note)}`),
  ];
  const chart = measures === undefined ? [] : ["", ...scoreChart(measures, paint)];
  return [runLine(run, paint), ...about, ...chart, ...agentParts(run, steps, paint)].join("\n");
}

/** `run-…  2026-04-13T03:00:00.000Z  pipeline  completed  decay 2, cluster 0` */
export function runLine(run: Run, paint: Paint): string {
  const applied = Object.entries(run.agents).map(([name, { applied }]) => `${name} ${applied}`);
  const status = run.status === "completed" ? paint.green(run.status) : paint.yellow(run.status);
  return [paint.bold(run.id), toIso(run.startedAt), run.scope, status, applied.join(", ")]
    .join("  ")
    .trimEnd();
}

/** Agents in their order, then whoever else left a step: one that was interrupted has no counts. */
function agentParts(run: Run, steps: readonly RunStep[], paint: Paint): string[] {
  const names = new Set([...Object.keys(run.agents), ...steps.map(({ agent }) => agent)]);
  return [...names].flatMap((name) => [
    "",
    `${paint.bold(printable(name).padEnd(9))} ${countWords(run.agents[name])}`.trimEnd(),
    ...steps.filter(({ agent }) => agent === name).flatMap(stepLines),
  ]);
}

function countWords(counts: AgentCounts | undefined): string {
  if (counts === undefined) return "";
  const { scanned, applied, waiting, failed, gates } = counts;
  const held = gateWords(gates);
  return [
    `looked at ${scanned}`,
    `did ${applied}`,
    ...(waiting > 0 ? [`${waiting} wait for a person`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(held === "" ? [] : [`held back: ${held}`]),
  ].join(", ");
}

function stepLines({ agent, action, reason, state, replies = [] }: RunStep): string[] {
  const how = state === "applied" ? "" : ` (${state})`;
  return [
    `  ${printable(agent)}/${printable(action)}: ${printable(reason)}${how}`,
    ...replies.map((reply) => `    ${replyWords(reply)}`),
  ];
}

function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
