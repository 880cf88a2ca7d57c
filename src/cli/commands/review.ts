import { issueView } from "../../api/memory-view.ts";
import { toIso } from "../../model/instant.ts";
import type { Issue } from "../../model/issue.ts";
import type { Parts } from "../../wire.ts";
import { personOf } from "../actor.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { createPaint, type Paint } from "../paint.ts";
import { issueLine } from "../reporters/memory-text.ts";
import { carryOut } from "../review/carry-out.ts";
import { decideIssue } from "../review/decide-issue.ts";
import { editText } from "../review/edit-text.ts";
import { effectLines } from "../review/effect-lines.ts";
import {
  type ApprovalPreview,
  previewApproval,
  readPreviewBase,
} from "../review/preview-approval.ts";
import { mergedText, whyItWaits } from "../review/review-page.ts";
import { openReviewTerminal, type ReviewTerminal } from "../review/review-terminal.ts";
import { readWaiting, type WaitingFilter, type WaitingIssue } from "../review/waiting-issues.ts";
import { walkIssues } from "../review/walk-issues.ts";
import { withParts } from "../with-parts.ts";

export interface ReviewFlags extends WaitingFilter {
  readonly by?: string;
  readonly now?: true;
}

/** A walk through what waits, on a terminal; elsewhere, and with `--json`, a list of it. */
export async function review(context: CommandContext, flags: ReviewFlags): Promise<CommandResult> {
  const terminal = context.globals.json ? undefined : openReviewTerminal(context.io);
  if (terminal === undefined) return await listWaiting(context, flags);
  try {
    return await walk(context, { flags, terminal });
  } finally {
    terminal.close();
  }
}

async function listWaiting(context: CommandContext, flags: ReviewFlags): Promise<CommandResult> {
  // What is approved is carried out without asking a model, so showing it needs none.
  return await withParts(context, { mode: "read", languageModel: false }, async (parts) => {
    const waiting = await readWaiting(parts, flags);
    const documents = context.globals.json ? await describeAll(waiting, { parts, context }) : [];
    return {
      document: { issues: documents },
      text: (paint) => waitingText(waiting, paint),
      isIdle: waiting.length === 0,
    };
  });
}

const NOTHING_WAITS = "nothing waits for you";

function waitingText(waiting: readonly WaitingIssue[], paint: Paint): string {
  if (waiting.length === 0) return NOTHING_WAITS;
  return [
    ...waiting.map(({ issue }) => issueLine(issue, paint)),
    "",
    "`slowwave review` on a terminal walks through them; `slowwave review approve <id…>` and `reject <id…>` decide.",
  ].join("\n");
}

async function describeAll(
  waiting: readonly WaitingIssue[],
  { parts, context }: { readonly parts: Parts; readonly context: CommandContext },
): Promise<readonly object[]> {
  const base = await readPreviewBase(parts);
  const documents: object[] = [];
  for (const one of waiting) {
    // In turn: each is planning over the same store.
    const preview = await previewApproval(one.issue, { parts, base, signal: context.signal });
    documents.push(waitingDocument(one, preview));
  }
  return documents;
}

function waitingDocument({ issue, memories }: WaitingIssue, preview: ApprovalPreview): object {
  const nothing = preview.kind === "nothing";
  return {
    ...issueView(issue),
    why: whyItWaits(issue),
    memories: memories.map(({ id, content, status, tags, createdAt }) => ({
      id,
      content,
      status,
      tags,
      createdAt: toIso(createdAt),
    })),
    approving: {
      agent: preview.agent ?? null,
      changes: nothing ? [] : preview.proposal.changes,
      summary: nothing ? [preview.why] : effectLines(preview.proposal.changes),
      mergedText: mergedText(preview)?.content ?? null,
    },
  };
}

async function walk(
  context: CommandContext,
  { flags, terminal }: { readonly flags: ReviewFlags; readonly terminal: ReviewTerminal },
): Promise<CommandResult> {
  return await withParts(context, { mode: "write", create: false }, async (parts) => {
    const waiting = await readWaiting(parts, flags);
    if (waiting.length === 0) {
      return { document: {}, text: () => NOTHING_WAITS, isIdle: true };
    }
    const base = await readPreviewBase(parts);
    const actor = { by: personOf(context.io, flags.by), at: parts.clock.now() };
    const walked = await walkIssues({
      waiting,
      terminal,
      paint: createPaint(context.io),
      now: actor.at,
      preview: (issue) => previewApproval(issue, { parts, base, signal: context.signal }),
      edit: (text) => editText(text, context.io.env),
      decide: (issue, verdict) => decideIssue(issue.id, verdict, { parts, actor }),
    });
    if (walked.isInterrupted) {
      return { document: {}, text: () => summary(walked.decided, waiting.length), exitCode: 130 };
    }
    const carried = await carryOut(walked.decided, { parts, flags, signal: context.signal });
    return {
      document: {},
      text: (paint) =>
        [summary(walked.decided, waiting.length), ...carried.lines(paint)].join("\n"),
      exitCode: carried.exitCode,
    };
  });
}

function summary(decided: readonly Issue[], waiting: number): string {
  const approved = decided.filter(({ status }) => status !== "closed").length;
  const left = waiting - decided.length;
  return `${approved} approved, ${decided.length - approved} rejected, ${left} still ${left === 1 ? "waits" : "wait"}`;
}
