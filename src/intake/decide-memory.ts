import type { Instant } from "../model/instant.ts";
import { canonicalJson } from "../model/json.ts";
import { type Memory, reviseMemory } from "../model/memory.ts";
import { clampTimes } from "./clamp-times.ts";
import { type ExtractEntities, importedContentHash, importHashOf } from "./import-hash.ts";
import type { IncomingMemory } from "./incoming.ts";
import { contentHashOf, type FoldedUse } from "./record-form.ts";
import { createMemory, createTombstone, updateMemory } from "./write-memory.ts";

/** What to do with a memory whose text was changed in the file and in the store: set the line aside, keep the store's, or take the file's. */
export const CONFLICT_POLICIES = ["quarantine", "keep", "replace"] as const;
export type ConflictPolicy = (typeof CONFLICT_POLICIES)[number];

export interface DecideContext {
  readonly now: Instant;
  /** Says in the chain of custody where a memory came from: `import:<format>`. */
  readonly agent: string;
  readonly extractEntities: ExtractEntities;
  readonly onConflict: ConflictPolicy;
}

export type Decision =
  | { readonly kind: "add"; readonly after: Memory; readonly isFlagged: boolean }
  | {
      readonly kind: "update";
      readonly before: Memory;
      readonly after: Memory;
      readonly isFlagged: boolean;
    }
  | { readonly kind: "unchanged" }
  | { readonly kind: "conflict"; readonly reason: string };

/** The place a memory is to take: its namespace, what stands there, and how much that was used. */
export interface Standing {
  readonly namespace: string;
  readonly existing: Memory | undefined;
  readonly use: FoldedUse;
}

/**
 * What an import does with one memory. A file that says what it said before changes nothing, whatever became of the memory since; a
 * forgotten or deleted memory stays so; a text that changed on one side is taken from that side, and one that changed on both is a
 * conflict.
 */
export function decideMemory(
  incoming: IncomingMemory,
  { namespace, existing, use }: Standing,
  context: DecideContext,
): Decision {
  const importHash = importHashOf(incoming, context.extractEntities);
  const { memory: timely, isClamped } = clampTimes(incoming, context.now);
  if (existing === undefined) {
    const after = createMemory(timely, { namespace, importHash, context });
    return { kind: "add", after, isFlagged: isClamped };
  }
  if (existing.importHash === importHash || isBuried(existing)) return { kind: "unchanged" };
  const side = chooseContent(incoming, existing);
  if (side === "both" && context.onConflict === "keep") return { kind: "unchanged" };
  if (side === "both" && context.onConflict === "quarantine") {
    return { kind: "conflict", reason: conflictReason(existing) };
  }
  const takesContent = side !== "store" && incoming.content !== existing.content;
  const after = updateMemory(existing, timely, { takesContent, use, importHash, context });
  if (!isWorthWriting(existing, after, incoming)) return { kind: "unchanged" };
  return { kind: "update", before: existing, after, isFlagged: isClamped };
}

/** Deleted at the source, forgotten by a person, or undone: an import does not bring it back. */
export function isBuried({ status, archivedReason: reason }: Memory): boolean {
  return (
    status === "archived" && (reason === "forgotten" || reason === "deleted" || reason === "undone")
  );
}

function conflictReason(existing: Memory): string {
  return existing.importHash === undefined
    ? `the store has another text under the id ${existing.id}`
    : "changed on both sides: the text was edited in the file and in the store";
}

type Side = "file" | "store" | "both";

/** Which side's text counts, by what both sides last had in common. */
function chooseContent(incoming: IncomingMemory, existing: Memory): Side {
  if (incoming.content === existing.content) return "file";
  const common = importedContentHash(existing);
  const isUntouchedHere = [common, incoming.contentHash].includes(contentHashOf(existing.content));
  if (isUntouchedHere) return "file";
  return common === contentHashOf(incoming.content) ? "store" : "both";
}

/**
 * A change of bookkeeping alone is written only where it moves the text that both sides have in common, which later decisions rest on.
 * Else importing an export of a store into it would rewrite every memory.
 */
function isWorthWriting(existing: Memory, after: Memory, incoming: IncomingMemory): boolean {
  const { importHash, revision } = existing;
  if (
    canonicalJson({ ...after, importHash, revision }) !== canonicalJson({ ...existing, importHash })
  ) {
    return true;
  }
  const hash = contentHashOf(incoming.content);
  return importedContentHash(existing) !== hash && incoming.contentHash !== hash;
}

export type TombstoneDecision =
  | { readonly kind: "add"; readonly after: Memory }
  | { readonly kind: "update"; readonly before: Memory; readonly after: Memory }
  | { readonly kind: "unchanged" };

/**
 * What a deletion at the source does. An unknown id is remembered, so that an older file does not bring it back. The text of a merged
 * memory lives on in another one: that is for a person to forget.
 */
export function decideTombstone(
  id: string,
  { namespace, existing }: Standing,
  context: DecideContext,
): TombstoneDecision {
  if (existing === undefined)
    return { kind: "add", after: createTombstone(id, namespace, context) };
  if (isBuried(existing) || existing.archivedReason === "merged") return { kind: "unchanged" };
  const archivedAt = existing.archivedAt ?? context.now;
  const after = reviseMemory(existing, {
    status: "archived",
    archivedReason: "deleted",
    archivedAt,
  });
  return { kind: "update", before: existing, after };
}
