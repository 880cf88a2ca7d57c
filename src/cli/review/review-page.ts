import { DAY_MS, toIso } from "../../model/instant.ts";
import type { Issue } from "../../model/issue.ts";
import { urgencyOf } from "../../model/issue-queue.ts";
import { DEFAULT_NAMESPACE, type Memory } from "../../model/memory.ts";
import { oneLine, type Paint, printable } from "../paint.ts";
import { effectLines } from "./effect-lines.ts";
import type { ApprovalPreview } from "./preview-approval.ts";
import { columnHeads, sideBySide, wrapText } from "./side-by-side.ts";
import { cutToWidth, widthOf } from "./text-width.ts";
import type { WaitingIssue } from "./waiting-issues.ts";

export interface ReviewPage extends WaitingIssue {
  readonly preview: ApprovalPreview;
  /** Columns of the terminal. */
  readonly width: number;
  readonly now: number;
}

/** Comparing needs room for two columns of words. */
const NARROW = 60;
const WIDEST = 160;
/** Of a decay issue with fifty memories the first say what the rest are like. */
const SHOWN = 6;

/** Everything that a decision needs, top to bottom: what was found, why it waits, the texts, what approving does. */
export function reviewPage(page: ReviewPage, paint: Paint): readonly string[] {
  const width = Math.min(page.width, WIDEST);
  const rule = paint.dim("─".repeat(width));
  return [
    ...headLines(page.issue, width, paint),
    ...factLines(page, width, paint),
    rule,
    ...memoryLines(page, width, paint),
    rule,
    ...previewLines(page.preview, width, paint),
  ];
}

function headLines(issue: Issue, width: number, paint: Paint): readonly string[] {
  const { id, title, status, notes } = issue;
  const state = status === "open" ? "" : ` (${status.replace("_", " ")})`;
  const head = `${paint.bold(printable(id))}  ${urgencyOf(issue)}  ${notes.agent}/${notes.action}${state}`;
  return [head, ...wrapText(title, width).map(paint.bold)];
}

function factLines({ issue, now }: ReviewPage, width: number, paint: Paint): readonly string[] {
  const { namespace, createdAt, comments } = issue;
  const days = Math.floor((now - createdAt) / DAY_MS);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["namespace", namespace === DEFAULT_NAMESPACE ? undefined : namespace],
    ["why it waits", whyItWaits(issue)],
    ["scores", scoresOf(issue)],
    ["since", `${toIso(createdAt).slice(0, 10)}${days < 1 ? "" : `, ${days} days`}`],
    ...comments.slice(-3).map(({ author, text }) => ["comment", `${author}: ${text}`] as const),
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : fact(name, value)));

  function fact(name: string, value: string): readonly string[] {
    const label = name.padEnd(14);
    const rows = wrapText(value, Math.max(20, width - label.length));
    return rows.map((row, at) => (at === 0 ? paint.dim(label) : " ".repeat(label.length)) + row);
  }
}

const HELD_BY: Readonly<Record<string, string>> = {
  low_confidence: "the agent is not certain enough to do this alone",
  policy: "your policy sends this to review",
};

/** What was found, and why that is not simply done. */
export function whyItWaits({ notes }: Issue): string {
  const { heldBy } = notes.details;
  const held = typeof heldBy === "string" ? (HELD_BY[heldBy] ?? heldBy) : undefined;
  const error = notes.error === undefined ? undefined : `failed before: ${notes.error}`;
  return [notes.reason, held, error].filter((part) => part !== undefined).join(". ");
}

function scoresOf({ notes }: Issue): string | undefined {
  const scores = Object.entries(notes.scores).map(([name, score]) => `${name} ${score.toFixed(3)}`);
  return scores.length === 0 ? undefined : scores.join(", ");
}

function memoryLines(page: ReviewPage, width: number, paint: Paint): readonly string[] {
  const { issue, memories } = page;
  const gone = issue.notes.memoryIds.length - memories.length;
  const isCompared = issue.notes.agent !== "decay" && memories.length > 1;
  return [
    ...(isCompared ? compared(memories, width, paint) : listed(memories, width, paint)),
    ...(gone > 0 ? [paint.yellow(`${gone} of its memories are gone`)] : []),
  ];
}

/** Each memory beside the first. */
function compared(memories: readonly Memory[], width: number, paint: Paint): readonly string[] {
  const [first, ...others] = memories;
  if (first === undefined) return [];
  if (width < NARROW) return listed(memories, width, paint);
  const blocks = others
    .slice(0, SHOWN)
    .map((other) => [
      columnHeads({ left: headOf(first), right: headOf(other), width }, paint),
      ...sideBySide({ left: first.content, right: other.content, width }, paint),
    ]);
  return [...spaced(blocks), ...moreLine(others.length, paint)];
}

function listed(memories: readonly Memory[], width: number, paint: Paint): readonly string[] {
  if (memories.length > 2) {
    const lines = memories.slice(0, SHOWN).map((memory) => shortLine(memory, width, paint));
    return [...lines, ...moreLine(memories.length, paint)];
  }
  const blocks = memories.map((memory) => [
    paint.bold(headOf(memory)),
    ...wrapText(memory.content, width),
  ]);
  return spaced(blocks);
}

/** Enough to tell them apart by; the issue itself is about all of them. */
function shortLine(memory: Memory, width: number, paint: Paint): string {
  const head = oneLine(headOf(memory), 60);
  const [text = ""] = cutToWidth(
    oneLine(memory.content, width),
    Math.max(8, width - widthOf(head) - 2),
  );
  return `${paint.bold(head)}  ${text}`;
}

function moreLine(count: number, paint: Paint): readonly string[] {
  return count > SHOWN ? [paint.dim(`… and ${count - SHOWN} more: slowwave issues show`)] : [];
}

function spaced(blocks: readonly (readonly string[])[]): readonly string[] {
  return blocks.flatMap((block, at) => (at === 0 ? block : ["", ...block]));
}

function headOf({ id, createdAt, status, pinned }: Memory): string {
  const marks = [status === "active" ? "" : ` ${status}`, pinned ? " pinned" : ""].join("");
  return `${printable(id)} ${toIso(createdAt).slice(0, 10)}${marks}`;
}

/** What approving would do. */
export function previewLines(
  preview: ApprovalPreview,
  width: number,
  paint: Paint,
): readonly string[] {
  if (preview.kind === "nothing") {
    return wrapText(`Approving changes nothing: ${preview.why}.`, width).map(paint.yellow);
  }
  const merged = mergedText(preview);
  if (merged !== undefined) {
    return [
      `Approving makes one memory, ${paint.bold(printable(merged.id))}, and archives its sources:`,
      ...wrapText(merged.content, width).map(paint.green),
    ];
  }
  const lines = effectLines(preview.proposal.changes);
  if (lines.length === 0) return wrapText(NOTHING_LEFT, width).map(paint.yellow);
  const shown = lines
    .slice(0, SHOWN)
    .flatMap((line) => wrapText(line, width - 2).map((row) => `  ${row}`));
  return [`Approving lets ${preview.agent} act:`, ...shown, ...moreLine(lines.length, paint)];
}

const NOTHING_LEFT =
  "Approving only closes the issue: by now nothing of it applies to its memories.";

/** The memory that approving makes of several; `undefined` where it does something else. */
export function mergedText(preview: ApprovalPreview): Memory | undefined {
  if (preview.kind === "nothing" || preview.agent !== "merge") return undefined;
  const puts = preview.proposal.changes.flatMap((change) =>
    change.kind === "memory.put" && change.after !== null ? [change.after] : [],
  );
  return puts.find(({ status, leaves }) => status !== "archived" && leaves.length > 0);
}
