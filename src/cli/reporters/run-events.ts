import type { ProposalFate, RunReport } from "../../model/run-report.ts";

/** A run as lines of a log for machines: ids, codes and counts. Reasons and titles quote memories, so they stay out. */
export function reportEvents(report: RunReport): readonly object[] {
  const { run, agents, fates, alarms = [], timings, modelUse, measures } = report;
  const about = { run: run.id, dryRun: run.dryRun };
  return [
    ...fates.flatMap((fate) => stepEvent(about, fate)),
    ...Object.entries(agents).flatMap(([agent, { results: _results, failures, ...counts }]) => [
      { level: counts.failed > 0 ? "warn" : "info", event: "agent", ...about, agent, ...counts },
      ...failures.map(({ itemId }) => ({
        ...{ level: "warn", event: "failure", ...about, agent, item: itemId },
      })),
    ]),
    ...alarms.map((alarm) => ({
      ...{
        level: "warn",
        event: "alarm",
        ...about,
        kind: /^[a-z]+(?=:)/.exec(alarm)?.[0] ?? "run",
      },
    })),
    {
      ...{ level: run.status === "completed" ? "info" : "warn", event: "end", ...about },
      status: run.status,
      stages: Object.fromEntries(timings.map(({ stage, ms }) => [stage, Math.round(ms)])),
      ...(modelUse === undefined ? {} : { modelUse }),
      ...(measures === undefined ? {} : { measures }),
    },
  ];
}

function stepEvent(about: object, { proposal, fate, why }: ProposalFate): readonly object[] {
  if (fate === "none") return [];
  const { id, agent, action, namespace, confidence, finding, replies = [] } = proposal;
  return [
    {
      ...{ level: fate === "refused" ? "warn" : "info", event: "step", ...about },
      ...{ agent, action, namespace, proposal: id, fate, confidence },
      memories: finding.members.map((member) => member.id),
      // Of what waits the code of a gate; of what was refused a sentence, which the report has.
      ...(fate === "waiting" && why !== undefined ? { heldBy: why } : {}),
      ...(replies.length === 0 ? {} : { replies: replies.map((reply) => reply.id) }),
    },
  ];
}
