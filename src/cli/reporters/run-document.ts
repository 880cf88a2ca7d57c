import { toIso } from "../../model/instant.ts";
import type { ProposalFate, RunReport } from "../../model/run-report.ts";

/** A run as `--json` prints it. Timings are left out: the same run gives the same document. */
export function runDocument(report: RunReport): object {
  const { run, agents, fates, notes, modelUse } = report;
  return {
    run: { ...run, asOf: toIso(run.asOf) },
    agents,
    ...(report.measures === undefined ? {} : { measures: report.measures }),
    proposals: fates.map(proposalDocument),
    notes,
    alarms: report.alarms ?? [],
    ...(modelUse === undefined ? {} : { languageModel: modelUse }),
  };
}

function proposalDocument({ proposal, fate, why }: ProposalFate): object {
  const { id, agent, namespace, action, confidence, reason, finding, results, replies } = proposal;
  return {
    id,
    agent,
    namespace,
    action,
    fate,
    why: why ?? null,
    confidence,
    reason,
    ...(replies === undefined ? {} : { replies }),
    title: finding.title,
    memoryIds: finding.members.map((member) => member.id),
    results,
  };
}
