import type { AgentReport, ProposalFate, RunReport } from "../model/run-report.ts";
import type { AppliedPlan } from "./apply-plan.ts";
import type { ApplicablePlan, DecidedProposal } from "./plan.ts";

export function reportDry(input: {
  readonly plan: ApplicablePlan;
  readonly runId: string;
  readonly notes: readonly string[];
}): RunReport {
  const { plan } = input;
  const fates = plan.decided.map((one) => fateOf(one, "planned"));
  const hasFailures = Object.values(plan.agents).some((agent) => agent.failures.length > 0);
  return {
    run: {
      id: input.runId,
      dryRun: true,
      status: hasFailures ? "failed" : "completed",
      asOf: plan.asOf,
    },
    agents: agentReports(plan, fates),
    fates,
    notes: [...input.notes, ...plan.notes],
    timings: plan.timings,
    ...useOf(plan),
  };
}

export function reportLive(input: {
  readonly plan: ApplicablePlan;
  readonly applied: AppliedPlan;
  readonly runId: string;
  readonly notes: readonly string[];
}): RunReport {
  const { plan, applied } = input;
  const refusals = new Map(applied.refused.map((refusal) => [refusal.one, refusal.why]));
  const fates = plan.decided.map((one) => {
    const why = refusals.get(one);
    const { proposal, changes } = one;
    if (why !== undefined) return { proposal, fate: "refused", why, changes } as const;
    if (changes.length > 0 && !applied.applied.has(one)) {
      const stopped = "the run was interrupted before it";
      return { proposal, fate: "refused", why: stopped, changes } as const;
    }
    return fateOf(one, "applied");
  });
  return {
    run: { id: input.runId, dryRun: false, status: statusOf(plan, applied), asOf: plan.asOf },
    agents: agentReports(plan, fates),
    fates,
    notes: [...input.notes, ...plan.notes, ...applied.notes],
    timings: [...plan.timings, { stage: "apply", ms: applied.ms }],
    ...useOf(plan),
  };
}

function useOf({ modelUse }: ApplicablePlan): Pick<RunReport, "modelUse"> {
  return modelUse === undefined ? {} : { modelUse };
}

function statusOf(plan: ApplicablePlan, applied: AppliedPlan): RunReport["run"]["status"] {
  if (applied.isInterrupted) return "interrupted";
  const hasFailures = Object.values(plan.agents).some((agent) => agent.failures.length > 0);
  return hasFailures || applied.refused.length > 0 ? "failed" : "completed";
}

function fateOf(one: DecidedProposal, done: "planned" | "applied"): ProposalFate {
  const { proposal, changes, why } = one;
  const fate = fateName(one.fate, done);
  return why === undefined ? { proposal, fate, changes } : { proposal, fate, why, changes };
}

function fateName(
  fate: DecidedProposal["fate"],
  done: "planned" | "applied",
): ProposalFate["fate"] {
  switch (fate) {
    case "apply":
      return done;
    case "wait":
      return "waiting";
    case "hold":
    case "none":
      return "none";
  }
}

function agentReports(
  plan: ApplicablePlan,
  fates: readonly ProposalFate[],
): Readonly<Record<string, AgentReport>> {
  const countOf = countFates(fates);
  const entries = Object.entries(plan.agents).map(([name, agent]) => {
    const count = (...wanted: readonly ProposalFate["fate"][]) =>
      wanted.reduce((sum, fate) => sum + countOf(name, fate), 0);
    const report: AgentReport = {
      scanned: agent.scanned,
      planned: count("planned", "applied", "refused", "waiting"),
      applied: count("applied"),
      waiting: count("waiting"),
      skipped: Object.values(agent.held).reduce((sum, held) => sum + held, 0),
      failed: agent.failures.length + count("refused"),
      gates: agent.held,
      results: agent.results,
      failures: agent.failures,
    };
    return [name, report] as const;
  });
  return Object.fromEntries(entries);
}

function countFates(
  fates: readonly ProposalFate[],
): (agent: string, fate: ProposalFate["fate"]) => number {
  const counts = new Map<string, Map<ProposalFate["fate"], number>>();
  for (const { proposal, fate } of fates) {
    const own = counts.get(proposal.agent) ?? new Map<ProposalFate["fate"], number>();
    counts.set(proposal.agent, own.set(fate, (own.get(fate) ?? 0) + 1));
  }
  return (agent, fate) => counts.get(agent)?.get(fate) ?? 0;
}
