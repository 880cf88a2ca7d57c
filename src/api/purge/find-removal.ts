import { leavesOf } from "../../agents/leaves.ts";
import { composeContent } from "../../agents/merge/compose-content.ts";
import { SlowwaveError } from "../../model/errors.ts";
import { type Memory, reviseMemory } from "../../model/memory.ts";
import type { Relation } from "../../model/relation.ts";
import type { JournalEntry } from "../../model/run.ts";
import type { View } from "../../ports/view.ts";
import { REMOVED } from "./redact-history.ts";
import { type Traces, tracesOf } from "./traces.ts";

/** What has to go with a memory, and what has to change for it. */
export interface Removal {
  /** The memory; of a merged one the originals and all it was made of on the way as well, since those are its words. */
  readonly targets: readonly Memory[];
  /** Merged memories that were made of a target and of others: they are made again of the others. */
  readonly merges: readonly { readonly before: Memory; readonly after: Memory }[];
  readonly relations: readonly Relation[];
  /** Of everything that a target ever said, as far as records and journal tell. */
  readonly traces: Traces;
  /** Note paths that a target has or had. */
  readonly paths: ReadonlySet<string>;
  /** Ids of other memories that say a sentence of it too: theirs to keep. */
  readonly alsoSaidBy: readonly string[];
}

/**
 * Decides what a purge removes. Reads only.
 * @throws SlowwaveError `input` where a person rewrote a merged memory that says it: only they can tell what of it has to go.
 */
export function findRemoval(
  memory: Memory,
  from: { readonly view: View; readonly journal: readonly JournalEntry[] },
): Removal {
  const { view, journal } = from;
  const all = view.memories(memory.namespace);
  const targetIds = closureOf(memory, all);
  const targets = all.filter(({ id }) => targetIds.has(id));
  const images = [...targets, ...imagesOf(targetIds, memory.namespace, journal)];
  const traces = tracesOf([...new Set(images.map(({ content }) => content))].filter(isSaid));
  const affected = all.filter(
    ({ id, leaves }) => !targetIds.has(id) && leaves.some((leaf) => targetIds.has(leaf)),
  );
  const affectedIds = new Set(affected.map(({ id }) => id));
  return {
    targets,
    merges: affected.map((before) => ({
      before,
      after: withoutTargets(before, { targetIds, traces, ...from }),
    })),
    relations: uniqueById(targets.flatMap(({ id }) => view.relationsOf(memory.namespace, id))),
    traces,
    paths: new Set(images.flatMap(({ vaultPath }) => vaultPath ?? [])),
    alsoSaidBy: all
      .filter(({ id, content }) => {
        return !targetIds.has(id) && !affectedIds.has(id) && traces.isSaidIn(content);
      })
      .map(({ id }) => id),
  };
}

/** A purge that was cut short has taken the words out already. */
function isSaid(content: string): boolean {
  return content !== REMOVED;
}

/** With what it was made of, and with merged memories of which nothing else would be left. */
function closureOf(memory: Memory, all: readonly Memory[]): ReadonlySet<string> {
  const ids = new Set([memory.id, ...memory.leaves]);
  const known = new Set(all.map(({ id }) => id));
  for (let size = 0; size !== ids.size; ) {
    size = ids.size;
    for (const { id, archivedReason, supersededBy, leaves } of all) {
      const isPart = archivedReason === "merged" && supersededBy === memory.id;
      const isMadeOfThem =
        leaves.length > 0 && leaves.every((leaf) => ids.has(leaf) || !known.has(leaf));
      if ((isPart && memory.leaves.length > 0) || isMadeOfThem) ids.add(id);
    }
  }
  return ids;
}

function imagesOf(
  ids: ReadonlySet<string>,
  namespace: string,
  journal: readonly JournalEntry[],
): readonly Memory[] {
  return journal
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.kind === "memory.put" ? [change.before, change.after] : []))
    .filter((image) => image !== null)
    .filter((image) => image.namespace === namespace && ids.has(image.id));
}

interface Without {
  readonly targetIds: ReadonlySet<string>;
  readonly traces: Traces;
  readonly view: View;
  readonly journal: readonly JournalEntry[];
}

function withoutTargets(merged: Memory, how: Without): Memory {
  const { targetIds, view } = how;
  const recordOf = (id: string) => view.memory(merged.namespace, id) ?? [];
  const leaves = merged.leaves.filter((id) => !targetIds.has(id));
  const kept = leaves.flatMap(recordOf);
  const gone = merged.leaves.filter((id) => targetIds.has(id)).flatMap(recordOf);
  return reviseMemory(merged, {
    leaves,
    content: contentWithout(merged, kept, how),
    tags: withoutTheirs(merged.tags, { gone, kept, of: ({ tags }) => tags }),
    entities: withoutTheirs(merged.entities, { gone, kept, of: ({ entities }) => entities }),
    provenance: withoutTheirs(merged.provenance, {
      gone,
      kept,
      of: ({ provenance }) => provenance,
    }),
    extra: Object.fromEntries(
      Object.entries(merged.extra).filter(
        ([key, value]) =>
          !gone.some(({ extra }) => isSame(extra[key], value)) ||
          kept.some(({ extra }) => isSame(extra[key], value)),
      ),
    ),
    ...Object.fromEntries(
      (["source", "context"] as const)
        .filter((field) => gone.some((one) => one[field] === merged[field]))
        .filter((field) => !kept.some((one) => one[field] === merged[field]))
        .map((field) => [field, undefined]),
    ),
  });
}

/** What a merged memory has of those that go, and of none that stays. What a person added since stays as well. */
function withoutTheirs<T>(
  items: readonly T[],
  from: {
    readonly gone: readonly Memory[];
    readonly kept: readonly Memory[];
    of(memory: Memory): readonly T[];
  },
): readonly T[] {
  const isOf = (memories: readonly Memory[], item: T): boolean =>
    memories.some((memory) => from.of(memory).some((other) => isSame(other, item)));
  return items.filter((item) => !isOf(from.gone, item) || isOf(from.kept, item));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** From the originals again, by rule: what a model made of all of them may say the removed one in other words. */
function contentWithout(
  merged: Memory,
  kept: readonly Memory[],
  { view, traces, journal }: Without,
): string {
  const isByRule = leavesOf(merged, view).every(({ record }) => record.id !== merged.id);
  if (isByRule || isOfARun(merged, journal)) {
    const { content, losses } = composeContent(kept);
    if (losses.length === 0) return content;
    throw refuse(merged, "what is left of it cannot be put together without a loss");
  }
  if (traces.isIn(merged.content)) throw refuse(merged, "was rewritten by hand since its merge");
  return merged.content;
}

/** A merge wrote it so, with a model's help. */
function isOfARun(merged: Memory, journal: readonly JournalEntry[]): boolean {
  return journal
    .filter(({ steps }) => steps.some(({ agent }) => agent === "merge"))
    .flatMap(({ changes }) => changes)
    .some(
      (change) =>
        change.kind === "memory.put" &&
        change.after?.id === merged.id &&
        change.after.content === merged.content,
    );
}

function refuse({ id }: Memory, why: string): SlowwaveError {
  return new SlowwaveError("input", `${id} was merged from it, and ${why}: nothing was removed`, {
    hint: `Take out of it what has to go (slowwave edit ${id} --content …), or purge it as well; then purge again.`,
  });
}

function uniqueById<T extends { readonly id: string }>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
