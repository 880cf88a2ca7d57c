import type { Instant } from "../model/instant.ts";
import type { Issue, IssueStatus } from "../model/issue.ts";
import type { Memory, MemoryKind, MemoryStatus } from "../model/memory.ts";
import type { Relation } from "../model/relation.ts";
import type { JournalEntry, JournalSteps, OutboxItem, Run } from "../model/run.ts";
import type { Use } from "../model/use.ts";
import type { VectorMatrix } from "../model/vector-matrix.ts";
import type { RelationColumns } from "./relation-columns.ts";

/** What a store keeps, by record kind. All are keyed by kind + namespace + id; runs, journal and outbox have no namespace. */
export interface StoredRecords {
  readonly memory: Memory;
  readonly relation: Relation;
  readonly issue: Issue;
  readonly run: Run;
  readonly journal: JournalEntry;
  readonly outbox: OutboxItem;
}
export type RecordKind = keyof StoredRecords;

/** One write. `before: null`: the record must not exist yet. Never a delete. */
export type RecordPut = {
  [K in RecordKind]: {
    readonly record: K;
    readonly before: StoredRecords[K] | null;
    readonly after: StoredRecords[K];
  };
}[RecordKind];

/** A put that could not be made, with what stands in the store instead (`null`: nothing). */
export interface PutConflict {
  readonly put: RecordPut;
  readonly found: StoredRecords[RecordKind] | null;
}

export type CommitResult =
  | { readonly ok: true; readonly version: number }
  | { readonly ok: false; readonly conflicts: readonly PutConflict[] };

/** A record with its kind, as it stands in a store. */
export type RecordImage = {
  [K in RecordKind]: { readonly record: K; readonly value: StoredRecords[K] };
}[RecordKind];

export type PurgeResult =
  | { readonly ok: true }
  /** Nothing was removed: these stand differently. */
  | { readonly ok: false; readonly moved: readonly RecordImage[] };

/** All fields given must match. Lists mean "one of". */
export interface RecordFilter {
  readonly namespace?: string;
  readonly ids?: readonly string[];
  readonly status?: readonly (MemoryStatus | IssueStatus)[];
  readonly kind?: readonly MemoryKind[];
  /** Relations: either end is one of these memories. */
  readonly touching?: readonly string[];
  /** Memories, issues, runs, journal: made at or after. */
  readonly since?: Instant;
  /** The same: made before. */
  readonly before?: Instant;
  /** Outbox and journal states. */
  readonly state?: readonly string[];
}

/** One consistent reading of a store: both tables at pinned versions, which later commits never change. */
export interface Snapshot {
  readonly storeId: string;
  readonly version: { readonly records: number; readonly uses: number };
  /** Every memory, archived ones too, ordered by namespace and id. */
  readonly memories: readonly Memory[];
  /** Undone ones too: nobody sees them, yet a link found again is the same record. */
  readonly relations: RelationColumns;
  /** Every issue, closed ones too, ordered by id. */
  readonly issues: readonly Issue[];
  /** Use events, ordered by time, then id. */
  readonly uses: readonly Use[];
  /**
   * One row a memory, in order. A vector is taken from the store when it was made by the current embedder from the memory's present
   * content, and computed otherwise; a text without any known token gives a zero row.
   */
  vectors(memories: readonly Memory[]): Promise<VectorMatrix>;
}

export interface SearchQuery {
  readonly namespace: string;
  readonly text: string;
  /** Candidates from each side (vector, full text) before fusion. @default 100 */
  readonly candidates?: number;
}

/** Part of a list, and how long the whole is. */
export interface MemoryPage {
  readonly total: number;
  readonly memories: readonly Memory[];
}

/** How many records of a namespace have a status; relations have none. */
export interface RecordCount {
  readonly namespace: string;
  readonly status: MemoryStatus | IssueStatus | null;
  readonly count: number;
}

/** A live memory that matched, with both raw signals. */
export interface SearchCandidate {
  readonly memory: Memory;
  /** Cosine of query and memory; 0 where either has no vector. */
  readonly cosine: number;
  /** BM25 of the full-text index, 0 where no word matched. */
  readonly textScore: number;
}

/** The run lease, a row taken by compare-and-set. */
export interface LeaseRequest {
  readonly holder: string;
  readonly token: string;
  readonly now: Instant;
  readonly until: Instant;
  /** A holder known to be dead, exactly as a refusal named it: its lease is taken over. */
  readonly takeOverFrom?: string;
}
export type LeaseResult =
  | {
      readonly ok: true /** Whose lease had run out, or was taken over. */;
      readonly replaced?: LeaseHolder;
    }
  | ({ readonly ok: false } & LeaseHolder);
export interface LeaseHolder {
  readonly holder: string;
  readonly until: Instant;
}

export interface MaintenanceReport {
  readonly optimized: boolean;
  readonly fragments: number;
  readonly bytes: number;
}

/** Whose vectors a store has. */
export interface VectorState {
  /** Id of the embedder that the store was opened with. */
  readonly embedder: string;
  /** How many memories `reembed` would give a vector. */
  readonly stale: number;
  /** Those among them that have a vector of another model, by its embedder's id; one that the present embedder replaces is none. */
  readonly others: ReadonlyMap<string, number>;
}

/**
 * A store of memories and all that belongs to them. Failures are `SlowwaveError`: `store_unavailable` (cannot open, read or write),
 * `store_newer` (made by a newer version), `store_damaged` (rows that cannot be read), `input` (a value that does not fit the model).
 */
export interface MemoryStore {
  readonly uri: string;
  /** Made once with the store; ids and run ids derive from it. */
  readonly storeId: string;
  /** False when opened for reading only (a dry run): every writing method then throws. */
  readonly writable: boolean;

  snapshot(): Promise<Snapshot>;
  /** Records that match, ordered by namespace and id; undone relations included. */
  read<K extends RecordKind>(
    record: K,
    filter?: RecordFilter,
  ): Promise<readonly StoredRecords[K][]>;
  /**
   * Of the memories that match, newest first, then by namespace and id: `limit` of them after the first `offset`. The others are not read
   * whole, so this stays quick where `read` would not.
   */
  readNewest(
    filter: Pick<RecordFilter, "namespace" | "status" | "kind" | "since">,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<MemoryPage>;
  /** How many there are, ordered by namespace and status; what an undone run had made does not count. */
  count(
    record: "memory" | "relation" | "issue",
    filter?: Pick<RecordFilter, "namespace">,
  ): Promise<readonly RecordCount[]>;
  /** Applied entries of the journal that were made at or after `since`, without their changes; ordered by id. */
  readSteps(since: Instant): Promise<readonly JournalSteps[]>;
  /** Use events of these memories (all where not given), ordered by time, then id. */
  readUses(filter: {
    readonly namespace: string;
    readonly memoryIds?: readonly string[];
  }): Promise<readonly Use[]>;
  search(query: SearchQuery): Promise<readonly SearchCandidate[]>;

  /**
   * All or nothing, in one atomic and durable step, safe against other processes. A record that equals its `after` counts as written
   * already; one that equals neither refuses the whole batch and is returned. Two puts of one record in a batch are an `input` error.
   * Returning means that a power cut no longer loses the batch. An empty batch writes nothing.
   */
  commit(puts: readonly RecordPut[]): Promise<CommitResult>;
  /** Appends use events; an event whose id is there already is kept once. Never touches records or revisions. */
  recordUses(uses: readonly Use[]): Promise<void>;

  /**
   * Removes these records for good, and the uses of memories among them: the only method that deletes, for what a person decides to
   * remove. A run removes journal entries alone, once they are older than they are to be kept. All or nothing: a record that stands differently refuses the whole; one that is gone counts as removed.
   */
  purge(images: readonly RecordImage[]): Promise<PurgeResult>;

  /**
   * Leaves no trace of what was removed or replaced before: older versions, and whatever else a store keeps beside its present records.
   * For what a person decides to remove, never called by a run.
   */
  dropHistory(): Promise<void>;

  /** Taken when free, expired, held by the same token (a renewal), or held by `takeOverFrom`. */
  acquireLease(request: LeaseRequest): Promise<LeaseResult>;
  /** False: the token no longer holds it. */
  releaseLease(token: string): Promise<boolean>;

  vectorState(): Promise<VectorState>;
  /**
   * Gives every memory whose vector is another embedder's, or that has none yet, one of the present embedder. Changes no record. Returns
   * how many; memories changed meanwhile by others are left for the next time.
   */
  reembed(onProgress?: (done: number, total: number) => void): Promise<number>;
  /** Reads everything that is stored, which nothing else does: what cannot be read, in words. */
  verify(): Promise<readonly string[]>;
  /** Compacts and cleans up when thresholds are passed. Never called on a read or dry path. */
  maintain(now: Instant): Promise<MaintenanceReport>;
  close(): Promise<void>;
}
