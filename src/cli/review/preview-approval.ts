import { DAY_MS } from "../../model/instant.ts";
import { ISSUE_LABELS, type Issue } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import type { Proposal } from "../../model/proposal.ts";
import type { JournalEntry } from "../../model/run.ts";
import type { Snapshot } from "../../ports/memory-store.ts";
import type { PipelinePlan } from "../../scheduler/plan.ts";
import { planPipeline } from "../../scheduler/plan-pipeline.ts";
import type { Parts } from "../../wire.ts";
import { SILENT_PROGRESS } from "../progress.ts";
import { gateWords } from "../reporters/gate-words.ts";

/** What a run would do with an issue once it is approved. */
export type ApprovalPreview =
  | { readonly kind: "changes"; readonly agent: string; readonly proposal: Proposal<unknown> }
  | { readonly kind: "nothing"; readonly agent: string | undefined; readonly why: string };

/** The store as it stands now, read once for any number of previews. */
export interface PreviewBase {
  readonly snapshot: Snapshot;
  readonly journal: readonly JournalEntry[];
}

export async function readPreviewBase({ store, clock }: Parts): Promise<PreviewBase> {
  const snapshot = await store.snapshot();
  const since = clock.now() - DAY_MS;
  return { snapshot, journal: await store.read("journal", { since, state: ["applied"] }) };
}

/**
 * Plans the agent that would act, over a view in which this issue alone waits and is approved: what is shown is what the run plans, with
 * the reason where it would do nothing. Writes nothing.
 */
export async function previewApproval(
  issue: Issue,
  { parts, base, signal }: { parts: Parts; base: PreviewBase; signal: AbortSignal },
): Promise<ApprovalPreview> {
  const name = carrierOf(issue);
  const agent = (await parts.createAgents()).find((one) => one.name === name);
  if (name === undefined) return { kind: "nothing", agent: undefined, why: whyNothing(issue, "") };
  if (agent === undefined) {
    return { kind: "nothing", agent: name, why: `there is no agent ${JSON.stringify(name)} here` };
  }
  const plan = await planPipeline({
    snapshot: assumeApproved(issue, base.snapshot),
    journal: base.journal,
    now: parts.clock.now(),
    settings: parts.config.settings,
    agents: [agent],
    // Only a promotion depends on the vault, and reading every note takes a while.
    ...(parts.vault && name === "promote" ? { vault: parts.vault } : {}),
    noteFormat: await parts.loadNoteFormat(),
    filter: { namespace: issue.namespace },
    system: parts.system,
    signal,
    progress: SILENT_PROGRESS,
  });
  return outcomeFor(issue, { plan, agent: name });
}

/** What a person does where the agent does nothing. */
const BY_HAND: Readonly<Record<string, string>> = {
  conflict:
    "`slowwave edit` or `slowwave forget` what is wrong, and the issue closes by itself; reject it where both are right",
  not_filed: "later runs file them, or raise `settings.issuesPerDay`; the issue closes by itself",
  note_edited: "your edit of the note stays as it is; reject this once you have seen it",
};

const NOBODYS: ReadonlySet<string> = new Set(["note_edited", "not_filed"]);

/** The agent that carries an approval out; `undefined` where none does. */
export function carrierOf({ notes }: Issue): string | undefined {
  if (notes.details.heldBy !== undefined || notes.agent !== "cluster") {
    return NOBODYS.has(notes.action) ? undefined : notes.agent;
  }
  return notes.action === "conflict" ? "cluster" : "merge";
}

/** The store as if this issue alone waited, and were approved. */
function assumeApproved(issue: Issue, snapshot: Snapshot): Snapshot {
  const others = snapshot.issues.filter(({ id, status }) => id !== issue.id && status === "closed");
  const labels = [...new Set([...issue.labels, ISSUE_LABELS.approved])];
  const { claimedBy: _by, claimToken: _token, leaseUntil: _until, ...free } = issue;
  return {
    ...snapshot,
    memories: memoriesFor(issue, snapshot),
    issues: [...others, { ...free, status: "open", labels }],
  };
}

/** The cluster agent compares every memory with every other: here those of the issue, and what they were merged from or into, are enough. */
function memoriesFor(issue: Issue, snapshot: Snapshot): readonly Memory[] {
  const all = snapshot.memories.filter(({ namespace }) => namespace === issue.namespace);
  if (carrierOf(issue) !== "cluster") return all;
  const byId = new Map(all.map((memory) => [memory.id, memory]));
  const wanted = new Set<string>();
  const queue = [...issue.notes.memoryIds];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const memory = byId.get(id);
    if (memory === undefined || wanted.has(id)) continue;
    wanted.add(id);
    queue.push(
      ...memory.leaves,
      ...(memory.supersededBy === undefined ? [] : [memory.supersededBy]),
    );
  }
  return all.filter(({ id }) => wanted.has(id));
}

function outcomeFor(
  issue: Issue,
  { plan, agent }: { readonly plan: PipelinePlan; readonly agent: string },
): ApprovalPreview {
  const carried = plan.decided.find(
    ({ fate, changes }) =>
      fate === "apply" &&
      changes.some(
        (change) =>
          change.kind === "issue.put" &&
          change.after?.id === issue.id &&
          change.after.status === "closed",
      ),
  );
  if (carried) return { kind: "changes", agent, proposal: carried.proposal };
  const blocked = errorIn(issue, plan);
  if (blocked !== undefined) return { kind: "nothing", agent, why: blocked };
  const { held = {}, failures = [] } = plan.agents[agent] ?? {};
  const reasons = [gateWords(held), ...failures.map(({ message }) => message)];
  const known = reasons.filter((reason) => reason !== "").join("; ");
  return { kind: "nothing", agent, why: whyNothing(issue, known) };
}

/** What the agent would leave on the issue instead of doing it. */
function errorIn(issue: Issue, { decided }: PipelinePlan): string | undefined {
  for (const change of decided.flatMap(({ changes }) => changes)) {
    if (change.kind !== "issue.put" || change.after?.id !== issue.id) continue;
    if (change.after.status === "blocked") return change.after.notes.error;
  }
  return undefined;
}

function whyNothing({ notes }: Issue, known: string): string {
  const parts = [known, BY_HAND[notes.action] ?? ""].filter((part) => part !== "");
  return parts.length === 0 ? "the agent finds nothing to do about it" : parts.join("; ");
}
