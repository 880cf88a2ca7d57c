import { hashText } from "../model/hash.ts";
import type { OutboxItem } from "../model/run.ts";
import type { RecordPut } from "../ports/memory-store.ts";
import type { NotePut } from "./changes.ts";

/**
 * The git work that a run owes so far. It is written in the same commit as the batch whose notes it names, so that a crash cannot
 * forget it.
 */
export function nextGitRow(batch: {
  readonly previous: OutboxItem | undefined;
  readonly notes: readonly NotePut[];
  readonly runId: string;
  readonly at: number;
}): OutboxItem | undefined {
  const { previous, notes, runId, at } = batch;
  if (notes.length === 0) return previous;
  const written = notes.map((put) => ({
    path: put.path,
    hash: put.after === null ? null : hashText(put.after.text),
  }));
  const paths = new Map([...(previous?.paths ?? []), ...written].map((one) => [one.path, one]));
  return {
    id: `git:${runId}`,
    runId,
    kind: "git",
    state: "open",
    at,
    paths: [...paths.values()],
    revision: (previous?.revision ?? 0) + 1,
  };
}

export function outboxPuts(
  before: OutboxItem | undefined,
  after: OutboxItem | undefined,
): readonly RecordPut[] {
  if (after === undefined || after === before) return [];
  return [{ record: "outbox", before: before ?? null, after }];
}
