import { type ImportSession, itemKey, readItems } from "./import-session.ts";
import type { IntakeItem } from "./incoming.ts";

export interface CurrentItem {
  readonly item: IntakeItem;
  /** True where a later line of the log replaces it. */
  readonly isReplaced: boolean;
}

/**
 * The items of a source, each with whether it still counts. A log is read once before, keeping the ids alone: what a later line deletes
 * must not reach the store first. A line appended since then is left for the next import.
 */
export async function createItemReader(
  session: ImportSession,
): Promise<() => AsyncGenerator<CurrentItem>> {
  const log = session.reader.isLog ? await indexLog(session) : undefined;
  return () => (log === undefined ? readAll(session) : readLog(session, log));
}

async function* readAll(session: ImportSession): AsyncGenerator<CurrentItem> {
  for await (const item of readItems(session)) yield { item, isReplaced: false };
}

async function* readLog(session: ImportSession, log: LogIndex): AsyncGenerator<CurrentItem> {
  let ordinal = 0;
  for await (const item of readItems(session)) {
    ordinal += 1;
    if (ordinal > log.total) return;
    const key = itemKey(item, session.namespace);
    const last = key === undefined ? undefined : log.last.get(key);
    yield { item, isReplaced: last !== undefined && last > ordinal };
  }
}

interface LogIndex {
  readonly last: ReadonlyMap<string, number>;
  readonly total: number;
}

async function indexLog(session: ImportSession): Promise<LogIndex> {
  const last = new Map<string, number>();
  let total = 0;
  for await (const item of readItems(session)) {
    total += 1;
    const key = itemKey(item, session.namespace);
    if (key !== undefined) last.set(key, total);
  }
  return { last, total };
}
