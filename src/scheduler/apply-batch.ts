import type { Change } from "../model/change.ts";
import { OPEN_ISSUE } from "../model/issue.ts";
import { canonicalJson } from "../model/json.ts";
import type { JournalEntry, JournalStep, OutboxItem } from "../model/run.ts";
import type { PutConflict, RecordPut } from "../ports/memory-store.ts";
import { type createRefusals, putsOf, type Refusal } from "./batches.ts";
import { foldChanges, isPut, keyOfPut, keysOf, type NotePut, toRecordPut } from "./changes.ts";
import { fingerprintOfProposal } from "./gate.ts";
import { nextGitRow, outboxPuts } from "./git-row.ts";
import type { DecidedProposal } from "./plan.ts";
import type { RunDeps } from "./run-deps.ts";
import { restoreNotes, writeNotes } from "./write-notes.ts";

export interface BatchContext {
  readonly deps: RunDeps;
  readonly runId: string;
  readonly asOf: number;
  readonly refusals: ReturnType<typeof createRefusals>;
  /** By key: what earlier batches of this run left. */
  readonly written: Map<string, unknown>;
}

export interface AppliedBatch {
  readonly applied: readonly DecidedProposal[];
  readonly refused: readonly Refusal[];
  /** The run's git row after this batch, if it has one. */
  readonly outbox: OutboxItem | undefined;
}

/** Another process may move records again and again; after so many rounds the batch is given up loudly. */
const MAX_ROUNDS = 8;

/**
 * The commit protocol for one batch: prepare (where notes are written), notes, commit. What cannot be applied is refused proposal by
 * proposal; the rest is one atomic commit.
 */
export async function applyBatch(
  batch: {
    readonly index: number;
    readonly decided: readonly DecidedProposal[];
    readonly outbox: OutboxItem | undefined;
  },
  context: BatchContext,
): Promise<AppliedBatch> {
  const { deps } = context;
  const refused: Refusal[] = [];
  let remaining = batch.decided;
  let prepared: JournalEntry | undefined;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const sifted = context.refusals.sift(remaining);
    refused.push(...sifted.refused);
    await takeBack(sifted.refused, prepared, deps);
    remaining = sifted.kept;
    if (remaining.length === 0) {
      await closePrepared(prepared, deps);
      return { applied: [], refused, outbox: batch.outbox };
    }
    const changes = foldUnwritten(remaining, context);
    const notes = notePuts(changes);
    if (notes.length > 0) {
      prepared ??= await prepare({ batch, decided: remaining, changes, context });
      if (await notesWereRefused(notes, context)) continue;
    }
    const outbox = deps.versionControl
      ? nextGitRow({ previous: batch.outbox, notes, runId: context.runId, at: context.asOf })
      : undefined;
    const journal = journalPut({ batch, decided: remaining, changes, context, prepared });
    const puts = [
      ...putsOf(changes).map(toRecordPut),
      journal,
      ...outboxPuts(batch.outbox, outbox),
    ];
    const result = await deps.store.commit(puts);
    if (result.ok) {
      noteWritten(changes, context);
      return { applied: remaining, refused, outbox };
    }
    blockConflicts(result.conflicts, context);
  }
  throw new Error(
    `batch ${batch.index} of ${context.runId} did not settle in ${MAX_ROUNDS} rounds`,
  );
}

/**
 * Two findings may each mark a memory that both are about. Within a batch the fold makes one change of that; where an earlier batch has
 * made it, its image before is no longer there.
 */
function foldUnwritten(
  decided: readonly DecidedProposal[],
  { written }: BatchContext,
): readonly Change[] {
  const isWritten = (change: Change): boolean => {
    if (!isPut(change)) return false;
    const left = written.get(keysOf(change).join());
    return left !== undefined && canonicalJson(left) === canonicalJson(change.after);
  };
  return foldChanges(decided.flatMap((one) => one.changes).filter((change) => !isWritten(change)));
}

function noteWritten(changes: readonly Change[], { written }: BatchContext): void {
  for (const put of putsOf(changes)) written.set(keysOf(put).join(), put.after);
}

function notePuts(changes: readonly Change[]): readonly NotePut[] {
  return changes.filter((change): change is NotePut => change.kind === "note.put");
}

async function notesWereRefused(
  notes: readonly NotePut[],
  context: BatchContext,
): Promise<boolean> {
  const { vault } = context.deps;
  if (vault === undefined) throw new Error("a plan with notes needs a vault");
  const refusals = await writeNotes(vault, notes);
  for (const { put, why } of refusals)
    for (const key of keysOf(put)) context.refusals.block(key, why);
  return refusals.length > 0;
}

/** Notes of proposals that fell out after their notes were written go back to what they were. */
async function takeBack(
  refused: readonly Refusal[],
  prepared: JournalEntry | undefined,
  deps: RunDeps,
): Promise<void> {
  if (prepared === undefined || deps.vault === undefined) return;
  await restoreNotes(
    deps.vault,
    notePuts(foldChanges(refused.flatMap((refusal) => refusal.one.changes))),
  );
}

function blockConflicts(conflicts: readonly PutConflict[], context: BatchContext): void {
  for (const { put, found } of conflicts) {
    const what = found === null ? "is not there any more" : "was changed since the plan was made";
    context.refusals.block(keyOfPut(put), `${put.record} ${put.after.id} ${what}`);
  }
}

interface BatchParts {
  readonly batch: { readonly index: number };
  readonly decided: readonly DecidedProposal[];
  readonly changes: readonly Change[];
  readonly context: BatchContext;
}

async function prepare(parts: BatchParts): Promise<JournalEntry> {
  const entry = journalEntry(parts, "prepared", 1);
  const result = await parts.context.deps.store.commit([
    { record: "journal", before: null, after: entry },
  ]);
  if (!result.ok) throw new Error(`journal entry ${entry.id} exists already`);
  return entry;
}

async function closePrepared(prepared: JournalEntry | undefined, deps: RunDeps): Promise<void> {
  if (prepared === undefined) return;
  const after: JournalEntry = {
    ...prepared,
    state: "rolled_back",
    revision: prepared.revision + 1,
  };
  await deps.store.commit([{ record: "journal", before: prepared, after }]);
}

function journalPut(
  parts: BatchParts & { readonly prepared: JournalEntry | undefined },
): RecordPut {
  const revision = (parts.prepared?.revision ?? 0) + 1;
  return {
    record: "journal",
    before: parts.prepared ?? null,
    after: journalEntry(parts, "applied", revision),
  };
}

function journalEntry(
  parts: BatchParts,
  state: JournalEntry["state"],
  revision: number,
): JournalEntry {
  const { batch, decided, changes, context } = parts;
  return {
    id: `${context.runId}/${String(batch.index).padStart(4, "0")}`,
    runId: context.runId,
    batch: batch.index,
    state,
    at: context.asOf,
    steps: decided.map(stepOf),
    changes,
    revision,
  };
}

function stepOf(one: DecidedProposal): JournalStep {
  const { id, agent, action, namespace, confidence, reason, finding, replies } = one.proposal;
  const written = one.fate === "wait" ? OPEN_ISSUE : action;
  const about =
    finding.members.length === 0
      ? {}
      : {
          fingerprint: fingerprintOfProposal(one.proposal),
          memoryIds: finding.members.map((member) => member.id),
        };
  const touches = [...new Set(one.changes.flatMap(keysOf))];
  return {
    ...{ proposalId: id, agent, action: written, namespace, confidence, reason },
    ...about,
    ...(replies === undefined ? {} : { replies }),
    touches,
  };
}
