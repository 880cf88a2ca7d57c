import type { ListedMemory } from "../../api/memory-listing.ts";
import { toIso } from "../../model/instant.ts";
import type { Issue } from "../../model/issue.ts";
import { urgencyOf } from "../../model/issue-queue.ts";
import type { Memory } from "../../model/memory.ts";
import type { Relation } from "../../model/relation.ts";
import { oneLine, type Paint, printable } from "../paint.ts";

const LINE_LENGTH = 100;

/** `mem-…  the text, cut  #tag  (archived: merged)` */
export function memoryLine(memory: Memory, paint: Paint): string {
  const tags = memory.tags.map((tag) => ` #${oneLine(tag, 30)}`).join("");
  const marks = marksOf(memory);
  return [
    paint.bold(oneLine(memory.id, 60)),
    oneLine(memory.content, LINE_LENGTH) + paint.cyan(tags),
    ...(marks.length === 0 ? [] : [paint.dim(`(${marks.join(", ")})`)]),
  ].join("  ");
}

function marksOf(memory: Memory): string[] {
  const marks: string[] = [];
  if (memory.status === "promoted") marks.push("promoted");
  if (memory.status === "archived") marks.push(`archived: ${memory.archivedReason ?? "unknown"}`);
  if (memory.pinned) marks.push("pinned");
  if (memory.disputed) marks.push("disputed");
  return marks;
}

/** A memory with all that is known of it, one fact a line. */
export function memoryPage({ memory, usage }: ListedMemory, score: number, paint: Paint): string {
  const lastUsed = usage.lastUsedAt === undefined ? "never" : toIso(usage.lastUsedAt);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["namespace", memory.namespace],
    ["kind", memory.kind],
    ["status", marksOf(memory).join(", ") || "active"],
    ["tags", memory.tags.join(", ") || undefined],
    ["entities", memory.entities.join(", ") || undefined],
    ["source", memory.source],
    ["context", memory.context],
    ["created", toIso(memory.createdAt)],
    ["used", `${usage.useCount} times, last ${lastUsed}`],
    ["score", score.toFixed(3)],
    ["strength", String(memory.strength)],
    ["note", memory.vaultPath],
    ["merged from", memory.leaves.join(", ") || undefined],
    ["merged into", memory.supersededBy],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${paint.dim(name.padEnd(12))}${printable(value)}`],
  );
  return [paint.bold(printable(memory.id)), printable(memory.content), "", ...lines].join("\n");
}

export function relationLine(relation: Relation, from: string): string {
  const [arrow, other] = relation.from === from ? ["→", relation.to] : ["←", relation.from];
  return `${arrow} ${printable(relation.type)} ${printable(other)} (${relation.strength.toFixed(2)})`;
}

export function issueLine(issue: Issue, paint: Paint): string {
  const { agent, action } = issue.notes;
  const urgency = urgencyOf(issue);
  const marks = [issue.status === "open" ? undefined : issue.status.replace("_", " ")];
  if (issue.labels.includes("approved")) marks.push("approved");
  if (issue.claimedBy !== undefined) marks.push(`held by ${printable(issue.claimedBy)}`);
  const state = marks.filter((mark) => mark !== undefined).join(", ");
  return [
    paint.bold(printable(issue.id)),
    colourOf(urgency, paint)(urgency.padEnd(6)),
    `${agent}/${action}`,
    oneLine(issue.title, LINE_LENGTH),
    ...(state === "" ? [] : [paint.dim(`(${state})`)]),
  ].join("  ");
}

function colourOf(urgency: Issue["notes"]["urgency"], paint: Paint): (text: string) => string {
  switch (urgency) {
    case "high":
      return paint.red;
    case "medium":
      return paint.yellow;
    case "low":
      return paint.dim;
  }
}
