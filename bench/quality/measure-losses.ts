import { DAY_MS } from "../../src/model/instant.ts";
import { ISSUE_LABELS, type Issue, standingOf } from "../../src/model/issue.ts";
import { isLive, type Memory, memoryKey } from "../../src/model/memory.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";

export interface Losses {
  readonly memories: number;
  readonly sentences: number;
  /** Sources of a merge, and memories live afterwards. */
  readonly merged: number;
  readonly live: number;
  /** Archived for another reason than a merge: their own text has to stay as it was. */
  readonly archived: number;
  readonly lost: readonly { readonly id: string; readonly sentence: string }[];
}

/**
 * Two nights, before the second of which every proposed merge is approved; then looks for every sentence there was in what lives in its
 * place. Shares no code with merger or verifier.
 */
export async function measureLosses(store: MemoryStore, runDeps: RunDeps): Promise<Losses> {
  const before = await store.read("memory");
  await runPipeline(runDeps);
  await approveMerges(store);
  const later = runDeps.clock.now() + DAY_MS;
  await runPipeline({ ...runDeps, clock: { now: () => later } });
  return findLosses(before, await store.read("memory"));
}

async function approveMerges(store: MemoryStore): Promise<void> {
  const waiting = (await store.read("issue")).filter(
    (issue) => issue.notes.action === "llm_review" && standingOf(issue) === "waiting",
  );
  const puts = waiting.map((before) => {
    const after: Issue = {
      ...before,
      labels: [...before.labels, ISSUE_LABELS.approved],
      revision: before.revision + 1,
    };
    return { record: "issue", before, after } as const;
  });
  const result = await store.commit(puts);
  if (!result.ok) throw new Error("an issue moved while it was approved");
}

/** Every sentence of `before` that neither its memory nor the one in its place says afterwards. */
export function findLosses(before: readonly Memory[], after: readonly Memory[]): Losses {
  const byKey = new Map(after.map((memory) => [memoryKey(memory), memory]));
  const lost: { readonly id: string; readonly sentence: string }[] = [];
  let sentences = 0;
  for (const source of before) {
    const sayings = sentencesOf(placeOf(source, byKey)?.content ?? "");
    for (const sentence of sentencesOf(source.content)) {
      sentences += 1;
      if (!sayings.some((saying) => says(saying, sentence))) lost.push({ id: source.id, sentence });
    }
  }
  const found = before.flatMap((memory) => byKey.get(memoryKey(memory)) ?? []);
  const gone = found.filter((memory) => !isLive(memory));
  const merged = gone.filter(({ archivedReason }) => archivedReason === "merged").length;
  const live = after.filter(isLive).length;
  return { memories: before.length, sentences, merged, live, archived: gone.length - merged, lost };
}

/** The memory itself, or the one that its merges led to. */
function placeOf(source: Memory, byKey: ReadonlyMap<string, Memory>): Memory | undefined {
  let memory = byKey.get(memoryKey(source));
  for (let steps = 0; memory?.archivedReason === "merged" && steps < byKey.size; steps += 1) {
    memory = byKey.get(memoryKey({ namespace: memory.namespace, id: memory.supersededBy ?? "" }));
  }
  return memory;
}

/** Its words in order, dates that a merge put behind relative ones left out. */
function sentencesOf(text: string): readonly string[] {
  return text
    .replace(/ \(\d{4}-\d{2}-\d{2}\)/gu, "")
    .split(/(?<=[.!?])\s+|\n+/u)
    .map((sentence) =>
      (sentence.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
        .filter((word) => !/^(?:an?|the)$/u.test(word))
        .join(" "),
    )
    .filter((sentence) => sentence !== "");
}

/** Every word of the sentence stands in the saying, in its order. */
function says(saying: string, sentence: string): boolean {
  const words = saying.split(" ");
  let from = 0;
  return sentence.split(" ").every((word) => {
    const at = words.indexOf(word, from);
    from = at + 1;
    return at >= 0;
  });
}
