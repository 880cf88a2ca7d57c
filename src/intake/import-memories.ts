import type { Readable } from "node:stream";
import type { Instant } from "../model/instant.ts";
import { DEFAULT_NAMESPACE, type Memory } from "../model/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { Progress } from "../ports/progress.ts";
import type { ConflictPolicy } from "./decide-memory.ts";
import { detectFormat, nothingToImport } from "./detect-format.ts";
import { type ImportFormat, READERS } from "./formats.ts";
import type { ExtractEntities } from "./import-hash.ts";
import { createTally, type ImportSession, type Tally } from "./import-session.ts";
import { loadMemories } from "./load-memories.ts";
import { loadRelations } from "./load-relations.ts";
import { type CurrentItem, createItemReader } from "./log-index.ts";
import { openSource } from "./open-source.ts";
import { createQuarantine } from "./quarantine.ts";

export interface ImportOptions {
  readonly store: MemoryStore;
  /** A file or folder, or a stream such as standard input. */
  readonly source: string | Readable;
  /** @default found out from the source */
  readonly from?: ImportFormat;
  /** For records that state none. @default "default" */
  readonly namespace?: string;
  readonly now: Instant;
  /** Where lines go that could not be taken; the file is made when there is one. */
  readonly quarantinePath: string;
  /** Finds the entities of a memory that states none. @default finds none */
  readonly extractEntities?: ExtractEntities;
  /** What to do where a text was changed in the file and in the store. @default "quarantine" */
  readonly onConflict?: ConflictPolicy;
  readonly progress?: Progress;
  /** Stops between two records; committed batches stay. */
  readonly signal?: AbortSignal;
  /** Told of the new memories of each batch once it is committed. */
  readonly onAdded?: (memories: readonly Memory[]) => void | Promise<void>;
}

/** `read` = added + updated + unchanged + replaced + quarantined. */
export interface ImportReport {
  readonly format: ImportFormat;
  /** Records of memories, among them tombstones and lines that could not be read. */
  readonly read: number;
  readonly added: number;
  /** A memory that a tombstone archived counts here. */
  readonly updated: number;
  readonly unchanged: number;
  /** Lines of a log that a later one replaces. */
  readonly replaced: number;
  readonly quarantined: number;
  /** Memories with a time in the future, which was set to now. */
  readonly flagged: number;
  /** Present where something was quarantined or dropped. */
  readonly quarantinePath?: string;
  /** `dropped`: an end is missing; the quarantine file has them too. */
  readonly relations: Readonly<Tally["relations"]>;
}

/**
 * Takes in memories and relations from a file, folder or stream, in batches of which each is committed whole. What cannot be taken is set
 * aside with its reason and the rest loads. Importing the same source again changes nothing.
 * @throws SlowwaveError `input` where there is nothing to read, `interrupted`, or what the store throws
 */
export async function importMemories(options: ImportOptions): Promise<ImportReport> {
  const source = await openSource(options.source, options.signal);
  const quarantine = createQuarantine(options.quarantinePath);
  try {
    const format = options.from ?? (await detectFormat(source));
    const session = createSession(options, { source, quarantine, format });
    session.progress?.start("import");
    const { tally } = session;
    await load(session);
    session.progress?.finish("import");
    if (tally.flagged > 0) {
      session.progress?.note(`${tally.flagged} memories had a time in the future: set to now`);
    }
    const report = { format, ...tally };
    return quarantine.count() === 0 ? report : { ...report, quarantinePath: quarantine.path };
  } finally {
    await quarantine.close();
    await source.dispose();
  }
}

function createSession(
  options: ImportOptions,
  opened: Pick<ImportSession, "source" | "quarantine"> & { readonly format: ImportFormat },
): ImportSession {
  const { format, source, quarantine } = opened;
  const { extractEntities = () => [], onConflict = "quarantine", now } = options;
  return {
    store: options.store,
    source,
    quarantine,
    reader: READERS[format],
    namespace: options.namespace ?? DEFAULT_NAMESPACE,
    context: { now, agent: `import:${format}`, extractEntities, onConflict },
    tally: createTally(),
    progress: options.progress,
    signal: options.signal,
    onAdded: options.onAdded,
  };
}

async function load(session: ImportSession): Promise<void> {
  const read = await createItemReader(session);
  const passed = { any: false, relations: false };
  await loadMemories(session, watch(read(), passed));
  if (!passed.any) throw nothingToImport(session.source.name);
  // A file without relations need not be read once more.
  if (passed.relations) await loadRelations(session, read());
}

async function* watch(
  items: AsyncIterable<CurrentItem>,
  passed: { any: boolean; relations: boolean },
): AsyncGenerator<CurrentItem> {
  for await (const current of items) {
    const { item } = current;
    passed.any = true;
    const isOfRelation =
      item.kind === "relation" ||
      item.kind === "dropped" ||
      (item.kind === "tombstone" && item.of === "relation");
    if (isOfRelation) passed.relations = true;
    yield current;
  }
}
