import { DAY_MS, toIso } from "../../model/instant.ts";
import { type Memory, memoryKey } from "../../model/memory.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { DecayResult } from "../../model/results.ts";
import type { Agent, AgentContext, ScanResult } from "../../ports/agent.ts";
import type { View } from "../../ports/view.ts";
import { type Allowance, issueAllowance } from "../issue-steps.ts";
import { proposeClosing } from "../propose-closing.ts";
import { hold, proposed, report } from "../proposing.ts";
import { compareIds, nameItems } from "../work-items.ts";
import { asForgotten, planApproved } from "./approved-issues.ts";
import { type Assessment, assessMemory } from "./assess-memory.ts";
import { type DecayIssues, readDecayIssues } from "./decay-issues.ts";
import { ARCHIVE, type ArchiveDecision, createArchiveDecisions } from "./decide-archives.ts";
import { type Filed, fileBatches } from "./file-batches.ts";

/**
 * Confidence: archiving 0.95 (score below the forget threshold, never used, unlinked, old: a rule on counts, and recoverable); everything
 * else 1, as it only reports, files, closes, or does what a person approved.
 */
const ARCHIVE_CONFIDENCE = 0.95;

/** Finds memories about to be forgotten, archives what nobody will miss, and files the rest for people. */
export function createDecayAgent(): Agent<DecayResult> {
  let planned: DecayPlan | undefined;
  return {
    name: "decay",
    scan: async (context) => {
      planned = planDecay(context);
      return planned.scan;
    },
    process: (itemId, context) => {
      const item = planned?.work.get(itemId);
      if (planned === undefined || item === undefined) return [];
      return item.kind === "risk" ? outcomesOf(itemId, item, { ...planned, context }) : [item];
    },
  };
}

/** What is settled already, or a memory at risk: of a large store nearly every one is, so that each is put in words in its turn only. */
type Work = Outcome<DecayResult> | Risk;

interface DecayPlan {
  readonly work: ReadonlyMap<string, Work>;
  readonly filed: Filed;
  readonly scan: ScanResult;
}

function planDecay(context: AgentContext): DecayPlan {
  const { view } = context;
  const issues = readDecayIssues(context);
  const work = new Map<string, Work>();
  const settled = new Set<string>();
  const risks: Risk[] = [];
  const notes: string[] = [];
  let scanned = 0;
  for (const namespace of view.namespaces()) {
    const active = view.memories(namespace).filter((memory) => isInScope(memory, context));
    scanned += active.length;
    if (active.length > 0) notes.push(...signalNotes(namespace, view));
    const decisions = createArchiveDecisions(namespace, { context, issues });
    const inNamespace = issues.approved.filter((issue) => issue.namespace === namespace);
    for (const issue of inNamespace) {
      const approved = planApproved(issue, {
        context,
        settled,
        takeApproved: decisions.takeApproved,
      });
      work.set(issue.id, approved.outcome);
      for (const key of approved.settled) settled.add(key);
    }
    const fading = assessAll(active, { context, settled });
    for (const one of fading) {
      risks.push({ ...one, kind: "risk", decision: decisions.decide(one) });
    }
  }
  for (const issue of issues.healed) work.set(issue.id, closeHealed(issue, context));
  for (const [itemId, risk] of nameItems(risks)) work.set(itemId, risk);
  const filed = fileRisks(risks, { issues, context });
  notes.push(...capNotes(risks));
  return { work, filed, scan: { items: [...work.keys()], scanned, held: {}, notes } };
}

interface Risk extends Assessment {
  readonly kind: "risk";
  readonly decision: ArchiveDecision;
}

function isInScope(memory: Memory, context: AgentContext): boolean {
  return memory.status === "active" && context.inScope(memory);
}

/** Those at risk, lowest score first, then by id: the order in which they would go. */
function assessAll(
  memories: readonly Memory[],
  { context, settled }: { readonly context: AgentContext; readonly settled: ReadonlySet<string> },
): readonly Assessment[] {
  return memories
    .filter((memory) => !settled.has(memoryKey(memory)))
    .flatMap((memory) => assessMemory(memory, context) ?? [])
    .sort((a, b) => a.score - b.score || compareIds(a.memory.id, b.memory.id));
}

function fileRisks(
  risks: readonly Risk[],
  { issues, context }: { readonly issues: DecayIssues; readonly context: AgentContext },
): Filed {
  const allowances = new Map<string, Allowance>();
  const allow = (namespace: string): boolean => {
    const allowance = allowances.get(namespace) ?? issueAllowance(context, namespace);
    allowances.set(namespace, allowance);
    return allowance();
  };
  const toFile = risks.filter((risk) => goesToPeople(risk) && !issues.isCovered(risk));
  return fileBatches(toFile, { context, allow });
}

/** What goes, waits for tomorrow's cap, or was pinned by a person needs no person to look at it; a dispute has an issue of its own. */
function goesToPeople({ decision }: Risk): boolean {
  return !NOT_FOR_PEOPLE.has(decision);
}

const NOT_FOR_PEOPLE: ReadonlySet<ArchiveDecision> = new Set([
  "archive",
  "capped",
  "clock_leap",
  "pinned",
  "disputed",
  "declined",
]);

/** The memory's own step or report, why it stays, and the issue of the batch that it leads. */
function outcomesOf(
  itemId: string,
  risk: Risk,
  { filed, context }: { readonly filed: Filed; readonly context: AgentContext },
): readonly Outcome<DecayResult>[] {
  const { decision, memory } = risk;
  const outcomes = [decision === "archive" ? archive(risk, context) : report(resultOf(risk))];
  if (decision !== "archive" && decision !== "keep") outcomes.push(hold(itemId, decision));
  const leading = filed.get(memoryKey(memory));
  if (leading === "capped") outcomes.push(hold(itemId, "issues_capped"));
  else if (leading !== undefined) outcomes.push(leading);
  return outcomes;
}

function resultOf({ memory, score, urgency, action, decision }: Risk): DecayResult {
  return { memoryId: memory.id, score, urgency, action, archived: decision === "archive" };
}

function archive(risk: Risk, context: AgentContext): Outcome<DecayResult> {
  const { memory, urgency, score, isExpired } = risk;
  const { now } = context.view;
  const age = Math.floor((now - memory.createdAt) / DAY_MS);
  const forgetBelow = context.settings.decay.forgetBelow;
  const reason = isExpired
    ? `its time to live ended at ${toIso(memory.expiresAt ?? now)}`
    : `score ${score.toFixed(3)} is below ${forgetBelow}: never used, unlinked, ${age} days old`;
  const after = asForgotten(memory, now);
  return proposed({
    agent: "decay",
    namespace: memory.namespace,
    action: ARCHIVE,
    subject: [memory.id, memory.content],
    results: [resultOf(risk)],
    confidence: ARCHIVE_CONFIDENCE,
    reason,
    changes: [{ kind: "memory.put", before: memory, after }],
    finding: {
      title: `Memory fading: ${memory.id}`,
      urgency,
      members: [memory],
      scores: { score },
    },
  });
}

function closeHealed(issue: DecayIssues["healed"][number], context: AgentContext) {
  const reason = "none of its memories is at risk in this way any more";
  return proposeClosing<DecayResult>(issue, { agent: "decay", reason, at: context.view.now });
}

function signalNotes(namespace: string, view: View): readonly string[] {
  if (view.hasUsageSignal(namespace)) return [];
  return [
    `no memory of namespace "${namespace}" was ever used as far as the store knows: nothing is archived until recall or touch records uses`,
  ];
}

function capNotes(risks: readonly Risk[]): readonly string[] {
  const waiting = risks.filter(({ decision }) => decision === "capped").length;
  return waiting === 0 ? [] : [`${waiting} more may be forgotten and wait for the daily cap`];
}
