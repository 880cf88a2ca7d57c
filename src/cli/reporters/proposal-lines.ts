import type { Change } from "../../model/change.ts";
import type { Memory } from "../../model/memory.ts";
import type { Proposal } from "../../model/proposal.ts";
import { oneLine, type Paint, printable } from "../paint.ts";
import { mergeDiff } from "./merge-diff.ts";

const LENGTH = 90;
/** A merge is to be judged by its texts, so they are shown nearly always whole. */
const SOURCE_LENGTH = 400;

/** What a proposal does: one line, and for a merge the texts before and after beneath it. */
export function changeLines(proposal: Proposal<unknown>, paint: Paint): string[] {
  const puts = memoryPuts(proposal.changes);
  switch (proposal.agent) {
    case "merge":
      return mergeLines(proposal, puts, paint) ?? [plainLine(proposal)];
    case "promote":
      return promoteLines(puts, paint) ?? [plainLine(proposal)];
    case "decay":
      return archiveLines(puts, paint) ?? [plainLine(proposal)];
    case "relations":
      return linkLines(proposal, paint) ?? [plainLine(proposal)];
    default:
      return [plainLine(proposal)];
  }
}

/** `open issue: two memories look alike` */
function plainLine({ action, finding, reason }: Proposal<unknown>): string {
  return `${action.replaceAll("_", " ")}: ${oneLine(finding.title || reason, LENGTH)}`;
}

interface MemoryPut {
  readonly before: Memory | null;
  readonly after: Memory;
}

function memoryPuts(changes: readonly Change[]): MemoryPut[] {
  return changes.flatMap((change) =>
    change.kind === "memory.put" && change.after !== null
      ? [{ before: change.before, after: change.after }]
      : [],
  );
}

function isArchiving({ before, after }: MemoryPut): boolean {
  return after.status === "archived" && before?.status !== "archived";
}

/** Sources with a minus, each sentence of the merged text with a plus and whose it is, as a diff reads. */
function mergeLines(
  proposal: Proposal<unknown>,
  puts: readonly MemoryPut[],
  paint: Paint,
): string[] | undefined {
  const merged = puts.find((put) => !isArchiving(put) && put.after.leaves.length > 0);
  if (merged === undefined) return undefined;
  const sources = puts.flatMap((put) => (isArchiving(put) && put.before ? [put.before] : []));
  const { after, before } = merged;
  const kept = before === null ? [] : [before];
  return [
    `merge ${sources.length + kept.length} into ${paint.bold(printable(after.id))} (${printable(proposal.reason)})`,
    ...[...kept, ...sources].map((memory) =>
      paint.red(`- ${printable(memory.id)}  ${oneLine(memory.content, SOURCE_LENGTH)}`),
    ),
    ...mergeDiff({ sources: [...kept, ...sources], merged: after.content }, paint),
  ];
}

function promoteLines(puts: readonly MemoryPut[], paint: Paint): string[] | undefined {
  const promoted = puts.find(({ after }) => after.status === "promoted");
  if (promoted === undefined) return undefined;
  const { after } = promoted;
  const note = paint.green(printable(after.vaultPath ?? ""));
  return [`write ${note} from ${printable(after.id)}  ${oneLine(after.content, LENGTH)}`];
}

function archiveLines(puts: readonly MemoryPut[], paint: Paint): string[] | undefined {
  const archived = puts.filter(isArchiving);
  if (archived.length === 0) return undefined;
  const lines = archived.map(
    ({ after }) => `${paint.bold(printable(after.id))}  ${oneLine(after.content, LENGTH)}`,
  );
  const [only = ""] = lines;
  return lines.length === 1 ? [`archive ${only}`] : [`archive ${lines.length}:`, ...lines];
}

/** Both directions are one link to a reader. */
function linkLines({ changes, reason }: Proposal<unknown>, paint: Paint): string[] | undefined {
  const link = changes.find((change) => change.kind === "relation.put");
  if (link?.kind !== "relation.put" || link.after === null) return undefined;
  const { from, to, strength } = link.after;
  const ends = `${paint.bold(printable(from))} ↔ ${paint.bold(printable(to))}`;
  return [`link ${ends} ${strength.toFixed(2)} (${oneLine(reason, LENGTH)})`];
}
