import { rm } from "node:fs/promises";
import { SlowwaveError } from "../../model/errors.ts";
import type { Issue } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import type { JournalEntry } from "../../model/run.ts";
import type { RecordImage } from "../../ports/memory-store.ts";
import { acquireRunLease } from "../../scheduler/lease.ts";
import { runPipeline } from "../../scheduler/run-pipeline.ts";
import { createWorkspace } from "../../scheduler/workspace.ts";
import type { Parts } from "../../wire.ts";
import { findMemory, type MemoryRef } from "../change-memory.ts";
import { runDepsOf } from "../run-deps-of.ts";
import { expectRemains, findRemains } from "./find-remains.ts";
import { findRemoval, type Removal } from "./find-removal.ts";
import { createPurgeAgent, createRenameAgent, PURGE_AGENT } from "./purge-agent.ts";
import { quotes } from "./quotes.ts";
import { blankMemory, isAbout, type Redaction, redactHistory } from "./redact-history.ts";
import { filesWhere } from "./search-files.ts";

export interface PurgeReport {
  /** Ids of the memories that are, or would be, gone: the one, and for a merged one all that it was made of. */
  readonly purged: readonly string[];
  /** Merged memories that are made anew without it. */
  readonly remade: readonly string[];
  readonly relations: number;
  readonly issues: number;
  readonly uses: number;
  /** Records of earlier runs whose texts are taken out. */
  readonly history: number;
  /** Notes that go, as they are called now. */
  readonly notes: readonly string[];
  /** Files of the cache that are deleted, since they quote it. */
  readonly cacheFiles: number;
  /** Other memories that say a sentence of it too, and stay. */
  readonly alsoSaidBy: readonly string[];
  /** Where its words still stand, and what to do about it. */
  readonly remains: readonly string[];
}

export interface PurgeOptions {
  /** A folder, where the store is one: it is searched at the end. */
  readonly storeFolder?: string;
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
}

/** What a purge would remove. Reads only. */
export async function previewPurge(
  parts: Parts,
  ref: MemoryRef,
  options: PurgeOptions,
): Promise<PurgeReport> {
  const { removal, issues, uses, history } = await lookAround(parts, await findMemory(parts, ref));
  const cached = await filesWhere(options.cacheFolder, quotes(removal));
  const notes = await notesOf(removal, parts);
  return {
    ...reportOf(removal, { issues, uses, notes, history: history.length }),
    cacheFiles: cached.length,
    remains: await expectRemains(parts, { issues, notes }),
  };
}

/**
 * Removes a memory and every text that quotes it, from records, earlier runs, notes, caches and older versions of the store. Killed at any
 * point, it is finished by being called again: the memory's own record goes last.
 * @throws SlowwaveError `input` where it cannot be told what of a merged text has to go, `vault` where notes cannot be written, `busy`.
 */
export async function purgeMemory(
  parts: Parts,
  ref: MemoryRef,
  options: PurgeOptions,
): Promise<PurgeReport> {
  const memory = await findMemory(parts, ref);
  const before = await lookAround(parts, memory);
  const notes = await notesOf(before.removal, parts);
  await removeFromView(parts, { memory, removal: before.removal, signal: options.signal });
  const { lease } = await acquireRunLease(parts.store, parts.system);
  await using held = lease;
  const cached = await filesWhere(options.cacheFolder, quotes(before.removal));
  for (const file of cached) await rm(file, { force: true });
  const after = await lookAround(parts, memory, before.removal);
  await commitAll(parts, after.history);
  await removeRecords(parts, after);
  await held.renew();
  await parts.store.dropHistory();
  await removeTargets(parts, after.removal);
  await parts.store.maintain(parts.clock.now());
  return {
    ...reportOf(before.removal, { ...before, notes, history: after.history.length }),
    cacheFiles: cached.length,
    remains: await findRemains(parts, { ...before, notes, storeFolder: options.storeFolder }),
  };
}

interface Surroundings {
  readonly removal: Removal;
  readonly redaction: Redaction;
  readonly issues: readonly Issue[];
  readonly uses: number;
  readonly history: ReturnType<typeof redactHistory>;
}

/** `known`: what was found before the first step, when the memories still said it. */
async function lookAround(parts: Parts, memory: Memory, known?: Removal): Promise<Surroundings> {
  const { store, clock } = parts;
  const journal = await store.read("journal");
  const snapshot = await store.snapshot();
  const removal =
    known ??
    findRemoval(memory, {
      view: createWorkspace({ snapshot, now: clock.now(), journal: [] }).view,
      journal,
    });
  const { namespace } = memory;
  const redaction = {
    namespace,
    targetIds: new Set(removal.targets.map(({ id }) => id)),
    mergeIds: mergeIdsOf(removal, journal),
    paths: removal.paths,
    traces: removal.traces,
  };
  const history = { journal, runs: await store.read("run"), outbox: await store.read("outbox") };
  const memoryIds = [...redaction.targetIds];
  return {
    removal,
    redaction,
    issues: snapshot.issues.filter((issue) => isAbout(issue, redaction)),
    uses: (await store.readUses({ namespace, memoryIds })).length,
    history: redactHistory(history, redaction),
  };
}

/** Also of those that a purge which was cut short has made anew already. */
function mergeIdsOf(
  { targets, merges }: Removal,
  journal: readonly JournalEntry[],
): ReadonlySet<string> {
  const targetIds = new Set(targets.map(({ id }) => id));
  const images = journal
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.kind === "memory.put" ? [change.before, change.after] : []))
    .filter((image) => image?.leaves.some((leaf) => targetIds.has(leaf)));
  const ids = [...merges.map(({ before }) => before.id), ...images.flatMap((one) => one?.id ?? [])];
  return new Set(ids.filter((id) => !targetIds.has(id)));
}

/** Through runs of their own, which commit the notes as every run does. */
async function removeFromView(
  parts: Parts,
  work: { readonly memory: Memory; readonly removal: Removal; readonly signal: AbortSignal },
): Promise<void> {
  const { memory, removal, signal } = work;
  const { vault, store } = parts;
  const isReady = (await vault?.state())?.kind === "ready";
  const hasNotes = [...removal.targets, ...removal.merges.map(({ after }) => after)].some(
    ({ vaultPath }) => vaultPath !== undefined,
  );
  if (hasNotes && !isReady) {
    throw new SlowwaveError("vault", "its notes have to go too, and the vault is not there", {
      hint: "Name the vault with --vault, or mount its drive, then purge again.",
    });
  }
  const journal = await store.read("journal");
  const agent = createPurgeAgent({
    memory,
    vault,
    format: await parts.loadNoteFormat(),
    journal,
  });
  await run(parts, agent, signal);
  const { namespace } = memory;
  if (vault === undefined || !isReady) return;
  await run(parts, createRenameAgent({ namespace, traces: removal.traces, vault }), signal);
}

async function run(
  parts: Parts,
  agent: ReturnType<typeof createPurgeAgent>,
  signal: AbortSignal,
): Promise<void> {
  const deps = runDepsOf(parts, { agents: [agent] });
  const { run, fates } = await runPipeline(deps, { agent: PURGE_AGENT, signal });
  const refused = fates.find(({ fate, proposal }) => {
    return proposal.agent === PURGE_AGENT && fate !== "applied";
  });
  if (run.status === "completed" && refused === undefined) return;
  const why = refused?.why ?? `run ${run.id} is ${run.status}`;
  throw new SlowwaveError("store_conflict", `the purge is not done: ${why}`, {
    hint: `\`slowwave runs show ${run.id}\` says more; then purge again.`,
  });
}

async function commitAll({ store }: Parts, puts: Surroundings["history"]): Promise<void> {
  const result = await store.commit(puts);
  if (!result.ok) throw moved();
}

async function removeRecords(parts: Parts, { issues, redaction }: Surroundings): Promise<void> {
  const { store } = parts;
  const { namespace, targetIds } = redaction;
  const relations = await store.read("relation", { namespace, touching: [...targetIds] });
  await purge(parts, [
    ...relations.map((value) => ({ record: "relation", value }) as const),
    ...issues.map((value) => ({ record: "issue", value }) as const),
  ]);
  // Blank before they go: what is left to be found by a purge that is called again says nothing.
  const targets = await store.read("memory", { namespace, ids: [...targetIds] });
  const result = await store.commit(
    targets.map((before) => {
      const after = { ...blankMemory(before), revision: before.revision + 1 };
      return { record: "memory", before, after };
    }),
  );
  if (!result.ok) throw moved();
}

async function removeTargets(parts: Parts, { targets }: Removal): Promise<void> {
  const [first] = targets;
  if (first === undefined) return;
  const ids = targets.map(({ id }) => id);
  const blank = await parts.store.read("memory", { namespace: first.namespace, ids });
  await purge(
    parts,
    blank.map((value) => ({ record: "memory", value })),
  );
}

async function purge({ store }: Parts, images: readonly RecordImage[]): Promise<void> {
  const result = await store.purge(images);
  if (!result.ok) throw moved();
}

function moved(): SlowwaveError {
  return new SlowwaveError("store_conflict", "something of it was changed during the purge", {
    hint: "Purge again: it goes on where it stopped.",
  });
}

function reportOf(
  { targets, merges, relations, alsoSaidBy }: Removal,
  counts: {
    readonly issues: readonly Issue[];
    readonly uses: number;
    readonly history: number;
    readonly notes: readonly string[];
  },
) {
  return {
    purged: targets.map(({ id }) => id),
    remade: merges.map(({ before }) => before.id),
    relations: relations.length,
    ...{ issues: counts.issues.length, uses: counts.uses, history: counts.history },
    notes: counts.notes,
    alsoSaidBy,
  };
}

async function notesOf({ targets }: Removal, { vault }: Parts): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const { vaultPath } of vault === undefined ? [] : targets) {
    if (vaultPath !== undefined && (await vault?.read(vaultPath)) !== undefined) {
      notes.push(vaultPath);
    }
  }
  return notes;
}
