import { issueView } from "../../api/memory-view.ts";
import { toIso } from "../../model/instant.ts";
import { ISSUE_STATUSES, type Issue, type IssueStatus, type Urgency } from "../../model/issue.ts";
import { DEFAULT_NAMESPACE, type Memory } from "../../model/memory.ts";
import { issueNotFound } from "../../ports/tracker-rules.ts";
import type { Parts } from "../../wire.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { explainIssue, explanationLines } from "../explain/explain-pairs.ts";
import { type Paint, printable } from "../paint.ts";
import { issueLine, memoryLine } from "../reporters/memory-text.ts";
import { withParts } from "../with-parts.ts";

export interface IssueListFlags {
  readonly status?: readonly (IssueStatus | "all")[];
  readonly label?: readonly string[];
  readonly agent?: string;
  readonly urgency?: Urgency;
  readonly limit?: number;
}

export async function listIssues(
  context: CommandContext,
  { status = [], label, ...filter }: IssueListFlags,
): Promise<CommandResult> {
  return await withParts(context, { mode: "read" }, async (parts) => {
    const { namespace } = parts.config;
    const issues = await parts.tracker.query({
      ...filter,
      ...(namespace === undefined ? {} : { namespace }),
      ...(label === undefined ? {} : { labels: label }),
      status: statusesOf(status),
    });
    return {
      document: { issues: issues.map(issueView) },
      text: (paint) =>
        issues.length === 0
          ? "no issues"
          : issues.map((issue) => issueLine(issue, paint)).join("\n"),
    };
  });
}

function statusesOf(asked: readonly (IssueStatus | "all")[]): readonly IssueStatus[] {
  if (asked.includes("all")) return ISSUE_STATUSES;
  const named = asked.filter((status) => status !== "all");
  return named.length > 0 ? named : ISSUE_STATUSES.filter((status) => status !== "closed");
}

export async function showIssue(context: CommandContext, id: string): Promise<CommandResult> {
  return await withParts(context, { mode: "read" }, async (parts) => {
    const issue = await parts.tracker.get(id);
    if (issue === undefined) throw issueNotFound(id);
    return await issueResult(issue, parts);
  });
}

/** The issue with its memories and, of the cluster agent's, why they merge, contradict or stay apart. */
export async function issueResult(issue: Issue, parts: Parts): Promise<CommandResult> {
  const memories = await parts.store.read("memory", {
    namespace: issue.namespace,
    ids: issue.notes.memoryIds,
  });
  const explanation = await explainIssue(issue, memories, parts);
  return {
    document: {
      issue: issueView(issue),
      memories: memories.map(({ id, content, status }) => ({ id, content, status })),
      ...explanation,
    },
    text: (paint) =>
      [issuePage(issue, memories, paint), ...explanationLines(explanation)].join("\n"),
  };
}

function issuePage(issue: Issue, memories: readonly Memory[], paint: Paint): string {
  const { notes } = issue;
  const scores = Object.entries(notes.scores).map(([name, score]) => `${name} ${score.toFixed(3)}`);
  return [
    issueLine(issue, paint),
    ...(issue.namespace === DEFAULT_NAMESPACE ? [] : [`namespace ${printable(issue.namespace)}`]),
    `why: ${printable(notes.reason)}${scores.length > 0 ? ` (${scores.join(", ")})` : ""}`,
    ...(notes.error === undefined ? [] : [paint.red(`error: ${printable(notes.error)}`)]),
    ...memories.map((memory) => `  ${memoryLine(memory, paint)}`),
    ...issue.comments.map(
      ({ author, at, text }) => paint.dim(`${toIso(at)} ${printable(author)}: `) + printable(text),
    ),
  ].join("\n");
}
