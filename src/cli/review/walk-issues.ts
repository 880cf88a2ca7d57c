import { SlowwaveError } from "../../model/errors.ts";
import { type Issue, withMergedText } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import { type Paint, printable } from "../paint.ts";
import type { Verdict } from "./decide-issue.ts";
import type { EditOutcome } from "./edit-text.ts";
import type { ApprovalPreview } from "./preview-approval.ts";
import { mergedText, previewLines, reviewPage } from "./review-page.ts";
import type { ReviewTerminal } from "./review-terminal.ts";
import { wrapText } from "./side-by-side.ts";
import type { WaitingIssue } from "./waiting-issues.ts";

export interface Walk {
  readonly waiting: readonly WaitingIssue[];
  readonly terminal: ReviewTerminal;
  readonly paint: Paint;
  readonly now: number;
  preview(issue: Issue): Promise<ApprovalPreview>;
  /** The text as the person wants it. */
  edit(text: string): Promise<EditOutcome>;
  /** Keeps the verdict; a `SlowwaveError` is shown and the walk goes on. */
  decide(issue: Issue, verdict: Verdict): Promise<Issue>;
}

export interface WalkResult {
  readonly decided: readonly Issue[];
  readonly skipped: number;
  /** Stopped by Ctrl-C rather than by `q`. */
  readonly isInterrupted: boolean;
}

type Step = "next" | "quit" | "interrupt" | { readonly decided: Issue };

/** One issue after the other: a page, a key, until all were seen or the person leaves. Each verdict is kept as it is given. */
export async function walkIssues(walk: Walk): Promise<WalkResult> {
  const decided: Issue[] = [];
  let skipped = 0;
  for (const [at, one] of walk.waiting.entries()) {
    const preview = await walk.preview(one.issue);
    walk.terminal.write(pageText(one, { at, preview, walk }));
    // In turn: a person answers one question at a time.
    const step = await takeStep(one, { preview, walk });
    if (step === "quit" || step === "interrupt") {
      return { decided, skipped, isInterrupted: step === "interrupt" };
    }
    if (step === "next") skipped += 1;
    else decided.push(step.decided);
  }
  return { decided, skipped, isInterrupted: false };
}

function pageText(
  one: WaitingIssue,
  { at, preview, walk }: { at: number; preview: ApprovalPreview; walk: Walk },
): string {
  const { terminal, paint, now, waiting } = walk;
  const head = paint.dim(`${at + 1} of ${waiting.length}`);
  const page = reviewPage({ ...one, preview, now, width: terminal.columns() }, paint);
  return `\n${[head, ...page].join("\n")}\n`;
}

async function takeStep(
  { issue, memories }: WaitingIssue,
  { preview, walk }: { readonly preview: ApprovalPreview; readonly walk: Walk },
): Promise<Step> {
  const { terminal, paint } = walk;
  // What nobody carries out cannot be approved: the label would wait for ever.
  const canApprove = preview.agent !== undefined;
  let draft = draftOf(preview, memories);
  const choices = [
    ...(canApprove ? ["[a]pprove"] : []),
    ...(draft === undefined ? [] : ["[e]dit"]),
    ...["[r]eject", "[s]kip", "[q]uit"],
  ].join("  ");
  for (;;) {
    terminal.write(`${paint.bold(choices)} `);
    // In turn: a key that means nothing here is asked for again.
    const key = await terminal.readKey();
    terminal.write(`${[...key].length === 1 ? printable(key) : ""}\n`);
    const leaving = LEAVING[key];
    if (leaving !== undefined) return leaving;
    if (key === "e" && draft !== undefined) {
      draft = await editDraft(issue, draft, walk);
      continue;
    }
    const verdict = await verdictOf(key, { canApprove, terminal });
    if (verdict !== undefined) return await keep(issue, withText(verdict, draft), walk);
  }
}

/** What a merge is to say. */
interface Draft {
  readonly text: string;
  /** It is the person's own, and the agent would take it. */
  readonly isOwn: boolean;
}

/** `undefined` where no text comes of approving. Where the agent finds none, a person may, and starts from all that there is. */
function draftOf(preview: ApprovalPreview, memories: readonly Memory[]): Draft | undefined {
  const merged = mergedText(preview)?.content;
  if (merged !== undefined) return { text: merged, isOwn: false };
  if (preview.kind !== "nothing" || !preview.why.startsWith(CANNOT_MERGE)) return undefined;
  return { text: memories.map(({ content }) => content).join("\n"), isOwn: false };
}

const CANNOT_MERGE = "a merge would ";

async function editDraft(issue: Issue, draft: Draft, walk: Walk): Promise<Draft> {
  const { terminal, paint } = walk;
  const outcome = await walk.edit(draft.text);
  if (outcome.kind === "none") {
    terminal.write(`${paint.dim(printable(outcome.why))}\n`);
    return draft;
  }
  const { text } = outcome;
  const preview = await walk.preview(withMergedText(issue, text));
  if (preview.kind === "nothing") {
    const why = wrapText(`Your text cannot be taken: ${preview.why}.`, terminal.columns());
    const then = "[e] goes on editing it; [a] approves without it.";
    terminal.write(`${[...why.map(paint.red), then].join("\n")}\n`);
    return { text, isOwn: false };
  }
  terminal.write(`${previewLines(preview, terminal.columns(), paint).join("\n")}\n`);
  return { text, isOwn: true };
}

function withText(verdict: Verdict, draft: Draft | undefined): Verdict {
  if (verdict.kind !== "approve" || !draft?.isOwn) return verdict;
  return { ...verdict, mergedText: draft.text };
}

const LEAVING: Readonly<Record<string, Step>> = {
  s: "next",
  q: "quit",
  end: "quit",
  "ctrl-d": "quit",
  "ctrl-c": "interrupt",
};

async function verdictOf(
  key: string,
  { canApprove, terminal }: { readonly canApprove: boolean; readonly terminal: ReviewTerminal },
): Promise<Verdict | undefined> {
  if (key === "a" && canApprove) return { kind: "approve" };
  if (key !== "r") return undefined;
  const reason = await terminal.ask("Why not? (Enter: no reason, Ctrl-C: back) ");
  return reason === undefined ? undefined : { kind: "reject", reason: reason.trim() };
}

async function keep(
  issue: Issue,
  verdict: Verdict,
  { decide, terminal, paint }: Walk,
): Promise<Step> {
  try {
    const decided = await decide(issue, verdict);
    const word = verdict.kind === "approve" ? paint.green("approved") : paint.red("rejected");
    terminal.write(`${word} ${printable(issue.id)}\n`);
    return { decided };
  } catch (error) {
    if (!(error instanceof SlowwaveError)) throw error;
    terminal.write(`${paint.red(printable(error.message))}\n`);
    return "next";
  }
}
