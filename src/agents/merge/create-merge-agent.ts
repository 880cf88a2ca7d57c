import { DAY_MS } from "../../model/instant.ts";
import { agentLabel, type Issue, standingOf } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { MergeResult } from "../../model/results.ts";
import type { Agent, AgentContext } from "../../ports/agent.ts";
import type { View } from "../../ports/view.ts";
import { isContradiction } from "../../text/conflicts/conflict.ts";
import type { Loss } from "../../text/merge-check/verify-merge.ts";
import { normalizeText } from "../../text/normalize.ts";
import type { AgentDeps } from "../agent-deps.ts";
import { excerptOf } from "../excerpt.ts";
import { isClaimed } from "../issue-steps.ts";
import { comparableText } from "../leaves.ts";
import { hold } from "../proposing.ts";
import { askForMerge } from "./ask-model.ts";
import { blockIssue } from "./block-issue.ts";
import { composeContent, editedContent } from "./compose-content.ts";
import { type MergeSources, readSources } from "./merge-sources.ts";
import { noteVerdict, verdictIn } from "./note-verdict.ts";
import { MERGE, type MergeWork, type PlannedMerges, proposeMerge } from "./propose-merge.ts";
import { rewordMerge } from "./reword-merge.ts";
import { hasSecret, holdSecret, wouldShowSecret } from "./secret-guard.ts";

/** Makes one memory of several that say the same, losing nothing, from the issues that the cluster agent opened. */
export function createMergeAgent(deps: Pick<AgentDeps, "rules" | "model">): Agent<MergeResult> {
  const run: MergeRun = { ...deps, planned: new Map(), rooms: new Map() };
  let work: ReadonlyMap<string, Issue> = new Map();
  return {
    name: "merge",
    scan: async ({ view }) => {
      const issues = view
        .issues()
        .filter((issue) => isMergeWork(issue, view.now) || isForModel(issue, { run, view }));
      const isAsked = (issue: Issue): number => Number(isForModel(issue, { run, view }));
      // Judgements first: should a ceiling be reached, better wording is what can be done without.
      const inTurn = issues.toSorted((a, b) => isAsked(b) - isAsked(a));
      work = new Map(inTurn.map((issue) => [issue.id, issue]));
      return { items: [...work.keys()], scanned: issues.length, held: {}, notes: [] };
    },
    process: async (itemId, context) => {
      const issue = work.get(itemId);
      return issue === undefined ? [] : await mergeIssue(issue, { run, context });
    },
    modelUse: () => run.model?.use(),
  };
}

interface MergeRun extends Pick<AgentDeps, "rules" | "model"> {
  readonly planned: PlannedMerges;
  readonly rooms: Map<string, Room>;
}

interface Job {
  readonly run: MergeRun;
  readonly context: AgentContext;
}

/** Open work that is automatic or approved. What is blocked or claimed waits for whoever holds it, and the gate settles its own issues. */
function isMergeWork(issue: Issue, now: number): boolean {
  const { agent, action, details } = issue.notes;
  const isAboutMerging = (agent === "cluster" || agent === "merge") && action !== "conflict";
  if (!isAboutMerging || details.heldBy !== undefined) return false;
  if (issue.status === "closed" || issue.status === "blocked" || isClaimed(issue, now))
    return false;
  return standingOf(issue) === "approved" || issue.labels.includes(agentLabel("merge"));
}

async function mergeIssue(
  issue: Issue,
  { run, context }: Job,
): Promise<readonly Outcome<MergeResult>[]> {
  const read = readSources(issue, context);
  if (read.kind === "held") return [hold(issue.id, read.reason)];
  const { sources } = read;
  const reason = whyNotMerged(sources, run);
  if (reason !== undefined) return [hold(issue.id, reason)];
  if (wouldShowSecret(sources)) return holdSecret(issue, context.view.now);
  if (isForModel(issue, { run, view: context.view })) {
    return await mergeByModel({ issue, sources }, { run, context });
  }
  const records = sources.leaves.map(({ record }) => record);
  const edited = editedContent(issue, records);
  // A text that a person wrote of it would stand in the issue.
  if (edited !== undefined && hasSecret(records)) return [hold(issue.id, "secret")];
  // Before anything is composed: a large store has thousands of groups beyond the cap.
  if (roomFor(sources.namespace, { run, context }).left <= 0) return [hold(issue.id, "capped")];
  const { content, losses } = edited ?? composeContent(records);
  if (losses.length > 0) {
    const isSecret = hasSecret(records);
    const lost = losses.map((loss) => (isSecret ? loss.kind : wordsOf(loss))).join("; ");
    const error = `a merge would ${lost}`;
    return [hold(issue.id, "would_lose"), blockIssue(issue, error, context.view.now)];
  }
  const areCopies = sayOneText(records);
  const isLong = content.length > context.settings.merge.maxCharacters;
  // Copies, and a text with its parts, grow by nothing.
  if (isLong && records.every((record) => record.content.length < content.length)) {
    return [hold(issue.id, "too_long")];
  }
  const work: MergeWork = { issue, sources, content, areCopies };
  return [merge(await rewordMerge(work, { model: run.model, context }), { run, context })];
}

function wordsOf(loss: Loss): string {
  const verb = loss.kind === "missing" ? "lose" : "add";
  return `${verb} ${excerptOf(loss.text, 200)}: ${loss.reason}`;
}

function merge(work: MergeWork, { run, context }: Job): Outcome<MergeResult> {
  const { issue, sources } = work;
  const room = roomFor(sources.namespace, { run, context });
  if (room.left <= 0) return hold(issue.id, "capped");
  room.left -= 1;
  const proposal = proposeMerge(work, { planned: run.planned, view: context.view });
  return proposal ? { kind: "proposal", proposal } : hold(issue.id, "done");
}

/** What the model judges well is merged like any other; what it does not stays with a person, and the issue says why. */
async function mergeByModel(
  { issue, sources }: Pick<MergeWork, "issue" | "sources">,
  { run, context }: Job,
): Promise<readonly Outcome<MergeResult>[]> {
  const records = sources.leaves.map(({ record }) => record);
  const length = records.reduce((sum, { content }) => sum + content.length, 0);
  if (length > context.settings.merge.maxCharacters) return [hold(issue.id, "too_long")];
  // A secret goes to nobody.
  if (hasSecret(records)) return [hold(issue.id, "secret")];
  if (run.model === undefined) return [];
  const verdict = await askForMerge(records, { model: run.model, signal: context.signal });
  switch (verdict.kind) {
    case "merge": {
      const { content, by, replies } = verdict;
      const told = { said: `judged by ${by}`, replies };
      return [merge({ issue, sources, content, areCopies: false, told }, { run, context })];
    }
    case "unavailable":
      context.progress.note(`language model: ${verdict.reason}`);
      break;
    case "keep_separate":
    case "rejected":
      break;
  }
  const noted = noteVerdict(issue, verdict, context.view.now);
  return [...noted, hold(issue.id, `model_${verdict.kind}`)];
}

/** Groups that somebody has to read, of which no model has said anything yet. One that did not answer is asked again. */
function isForModel(
  issue: Issue,
  { run, view }: { readonly run: MergeRun; readonly view: View },
): boolean {
  const { agent, action, details } = issue.notes;
  if (run.model === undefined || agent !== "cluster" || action !== "llm_review") return false;
  const verdict = verdictIn(issue);
  if (details.heldBy !== undefined) return false;
  if (verdict !== undefined && verdict !== "unavailable") return false;
  if (issue.status === "closed" || issue.status === "blocked" || isClaimed(issue, view.now)) {
    return false;
  }
  return standingOf(issue) === "waiting" && !issue.labels.includes(agentLabel("merge"));
}

function whyNotMerged({ sources, leaves }: MergeSources, run: MergeRun): string | undefined {
  if (sources.some(({ id }) => run.planned.has(id))) return "merged_already";
  if (new Set(sources.map(({ kind }) => kind)).size > 1) return "kinds_differ";
  const texts = [...new Set(leaves.map(({ record }) => comparableText(record)))];
  const contradicts = texts.some((text, at) =>
    texts.slice(at + 1).some((other) => run.rules.conflicts(text, other).some(isContradiction)),
  );
  return contradicts ? "conflict" : undefined;
}

function sayOneText(records: readonly Memory[]): boolean {
  return new Set(records.map((record) => normalizeText(comparableText(record)))).size === 1;
}

/** What the cap of the last 24 hours leaves. */
interface Room {
  left: number;
}

function roomFor(namespace: string, { run, context }: Job): Room {
  const { view, settings } = context;
  const since = view.now - DAY_MS;
  const known = run.rooms.get(namespace);
  if (known !== undefined) return known;
  const merged = view.appliedSince({ agent: "merge", action: MERGE, namespace, since });
  const room = { left: settings.merge.mergesPerDay - merged };
  run.rooms.set(namespace, room);
  return room;
}
