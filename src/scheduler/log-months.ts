import { type Instant, toIso } from "../model/instant.ts";
import type { ArchiveReason, Memory } from "../model/memory.ts";
import { RELATION_TYPES } from "../model/relation.ts";
import type {
  IndexContent,
  LogEvents,
  LogLine,
  NoteFormat,
  NoteLink,
} from "../ports/note-vault.ts";
import type { View } from "../ports/view.ts";

type LogContent = Extract<IndexContent, { kind: "log" }>;

/**
 * What became of memories, month by month, read off the memories themselves: all that a run promotes, merges or archives carries the
 * run's clock. So a second run finds nothing to add, links lead to where notes are now, and what was undone is not told.
 * It begins with the first promotion: what was archived before there were notes, or came archived with an import, is no run's doing.
 */
export function logMonths(input: LogInput): readonly LogContent[] {
  return input.view.namespaces().flatMap((namespace) => monthsOf(namespace, input));
}

interface LogInput {
  readonly view: View;
  readonly format: NoteFormat;
  /** Whether a note is in the vault; an archived one may have been thrown away. */
  readonly isThere: (path: string) => boolean;
}

function monthsOf(namespace: string, input: LogInput): readonly LogContent[] {
  const memories = input.view.memories(namespace);
  const first = firstPromotion(memories);
  if (first === undefined) return [];
  const events = eventsByInstant(memories, first);
  const months = new Map<string, LogEvents[]>();
  for (const at of [...events.keys()].sort((a, b) => b - a)) {
    const lines = linesOf(events.get(at) ?? [], input);
    if (lines.length === 0) continue;
    const month = toIso(at).slice(0, 7);
    const list = months.get(month) ?? [];
    list.push({ at, lines });
    months.set(month, list);
  }
  return [...months].map(([month, list]) => ({ kind: "log", namespace, month, events: list }));
}

function firstPromotion(memories: readonly Memory[]): Instant | undefined {
  let first: Instant | undefined;
  for (const { promotedAt, promotedWhy } of memories) {
    // Only what was promoted here has a reason.
    if (promotedAt === undefined || promotedWhy === undefined) continue;
    if (first === undefined || promotedAt < first) first = promotedAt;
  }
  return first;
}

interface Happening {
  readonly memory: Memory;
  readonly what: "promoted" | "archived";
}

function eventsByInstant(
  memories: readonly Memory[],
  since: Instant,
): ReadonlyMap<Instant, readonly Happening[]> {
  const events = new Map<Instant, Happening[]>();
  const add = (at: Instant | undefined, happening: Happening): void => {
    if (at === undefined || at < since) return;
    const list = events.get(at) ?? [];
    list.push(happening);
    events.set(at, list);
  };
  for (const memory of memories) {
    if (memory.promotedWhy !== undefined) add(memory.promotedAt, { memory, what: "promoted" });
    if (memory.status === "archived") add(memory.archivedAt, { memory, what: "archived" });
  }
  return events;
}

/** Promotions first, then merges, then what was archived; in the order of ids. */
function linesOf(happenings: readonly Happening[], input: LogInput): readonly LogLine[] {
  const promoted = happenings.filter(({ what }) => what === "promoted");
  const archived = happenings.filter(({ what }) => what === "archived").map(memoryOf);
  return [
    ...promoted
      .map(memoryOf)
      .map(
        (memory) =>
          ({ kind: "promoted", ...named(memory, input), why: memory.promotedWhy ?? "" }) as const,
      ),
    ...mergeLines(archived, input),
    ...archived
      .filter(({ vaultPath }) => vaultPath !== undefined)
      .map(
        (memory) =>
          ({ kind: "retired", ...named(memory, input), reason: reasonOf(memory) }) as const,
      ),
    ...countLines(archived),
  ];
}

function memoryOf({ memory }: Happening): Memory {
  return memory;
}

function reasonOf({ archivedReason = "forgotten" }: Memory): ArchiveReason {
  return archivedReason;
}

function mergeLines(archived: readonly Memory[], input: LogInput): readonly LogLine[] {
  const merged = new Map<string, Memory[]>();
  for (const memory of archived) {
    const into = mergedInto(memory);
    if (into !== undefined) merged.set(into, [...(merged.get(into) ?? []), memory]);
  }
  return [...merged].flatMap(([id, sources]) => mergeLine(id, sources, input) ?? []);
}

function mergedInto(memory: Memory): string | undefined {
  return reasonOf(memory) === "merged" ? memory.supersededBy : undefined;
}

/** Those that no line names yet. */
function countLines(archived: readonly Memory[]): readonly LogLine[] {
  const counts = new Map<ArchiveReason, number>();
  for (const memory of archived) {
    if (memory.vaultPath !== undefined || mergedInto(memory) !== undefined) continue;
    counts.set(reasonOf(memory), (counts.get(reasonOf(memory)) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ kind: "archived", reason, count }));
}

function mergeLine(id: string, sources: readonly Memory[], input: LogInput): LogLine | undefined {
  const [first] = sources;
  const memory = first && input.view.memory(first.namespace, id);
  return memory && { kind: "merged", ...named(memory, input), count: sources.length };
}

function named(
  memory: Memory,
  { format, isThere }: LogInput,
): { readonly title: string; readonly note?: NoteLink } {
  const title = format.titleOf(memory);
  const { vaultPath: path, status } = memory;
  if (path === undefined || status === "active" || (status === "archived" && !isThere(path))) {
    return { title };
  }
  return { title, note: { path, title, relationType: RELATION_TYPES.related } };
}
