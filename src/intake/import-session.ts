import { SlowwaveError } from "../model/errors.ts";
import { type Memory, memoryKey } from "../model/memory.ts";
import type { MemoryStore, RecordPut } from "../ports/memory-store.ts";
import type { Progress } from "../ports/progress.ts";
import type { DecideContext } from "./decide-memory.ts";
import type { IntakeItem, IntakeReader, IntakeSource } from "./incoming.ts";
import { interruptedImport } from "./open-source.ts";
import type { Quarantine } from "./quarantine.ts";

/** Counted as the import goes on. */
export interface Tally {
  read: number;
  added: number;
  updated: number;
  unchanged: number;
  replaced: number;
  quarantined: number;
  flagged: number;
  readonly relations: {
    added: number;
    updated: number;
    removed: number;
    unchanged: number;
    dropped: number;
  };
}

/** One import under way. */
export interface ImportSession {
  readonly store: MemoryStore;
  readonly source: IntakeSource;
  readonly reader: IntakeReader;
  /** For records that state none. */
  readonly namespace: string;
  readonly context: DecideContext;
  readonly quarantine: Quarantine;
  readonly tally: Tally;
  readonly progress: Progress | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onAdded: ((memories: readonly Memory[]) => void | Promise<void>) | undefined;
}

export function createTally(): Tally {
  return {
    read: 0,
    added: 0,
    updated: 0,
    unchanged: 0,
    replaced: 0,
    quarantined: 0,
    flagged: 0,
    relations: { added: 0, updated: 0, removed: 0, unchanged: 0, dropped: 0 },
  };
}

/** The reader's items, until the import is interrupted. */
export async function* readItems(session: ImportSession): AsyncGenerator<IntakeItem> {
  for await (const item of session.reader.read(session.source)) {
    if (session.signal?.aborted) throw interruptedImport(session.signal);
    yield item;
  }
}

/** What a record of the file is known by. */
export function itemKey(item: IntakeItem, namespace: string): string | undefined {
  switch (item.kind) {
    case "memory": {
      const { id, namespace: own = namespace } = item.memory;
      return `memory ${memoryKey({ namespace: own, id })}`;
    }
    case "tombstone":
      return `${item.of} ${memoryKey({ namespace: item.namespace ?? namespace, id: item.id })}`;
    case "relation": {
      const { id, namespace: own = namespace } = item.relation;
      return id === undefined ? undefined : `relation ${memoryKey({ namespace: own, id })}`;
    }
    case "dropped":
    case "bad":
      return undefined;
  }
}

/** Another process may write the same records at the same moment; what was decided is then decided again. */
const MAX_TRIES = 5;

/**
 * Commits what `decide` finds to be done; it is asked again where the store moved on meanwhile.
 * @throws SlowwaveError `store_conflict` when the store never stands still
 */
export async function commitDecided<T>(
  store: MemoryStore,
  decide: () => Promise<{ readonly puts: readonly RecordPut[]; readonly outcome: T }>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    // Each try needs the store as the last one left it.
    const { puts, outcome } = await decide();
    if (puts.length === 0) return outcome;
    const result = await store.commit(puts);
    if (result.ok) return outcome;
    if (tries === MAX_TRIES) {
      const [conflict] = result.conflicts;
      const what = conflict ? `${conflict.put.record} ${conflict.put.after.id}` : "a record";
      throw new SlowwaveError(
        "store_conflict",
        `${what} was changed again and again during the import`,
        {
          hint: "Let the other process finish, then import the file again.",
        },
      );
    }
  }
}
