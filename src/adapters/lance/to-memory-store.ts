import { SlowwaveError } from "../../model/errors.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import { countRecords } from "./count-records.ts";
import { isRefused, translating } from "./errors.ts";
import type { Handle } from "./handle.ts";
import { readNewest } from "./newest.ts";
import { readRecords, readSteps, readUses } from "./read.ts";
import { searchMemories } from "./search.ts";
import { readVectorState } from "./vector-state.ts";

type WritingSide = typeof import("./writing-side.ts");

/** What a method needs is loaded when it is first called: a recall is over before the writing side would be read. */
export function toMemoryStore(
  handle: Handle,
  { uri, writable }: { readonly uri: string; readonly writable: boolean },
): MemoryStore {
  let closed = false;
  const refuse = (doing: string, why: string): never => {
    throw new SlowwaveError("store_unavailable", `cannot ${doing}: ${why}`);
  };
  const reading = async <T>(doing: string, work: () => Promise<T>): Promise<T> =>
    closed ? refuse(doing, "the store was closed") : translating(doing, () => onceMore(work));
  const writing = async <T>(doing: string, work: () => Promise<T>): Promise<T> => {
    if (closed) return refuse(doing, "the store was closed");
    if (!writable) return refuse(doing, "the store was opened for reading only");
    return translating(doing, work);
  };
  const changing = <T>(doing: string, work: (side: WritingSide) => Promise<T>): Promise<T> =>
    writing(doing, async () => work(await import("./writing-side.ts")));
  return {
    uri,
    storeId: handle.storeId,
    writable,
    snapshot: () =>
      reading("read the store", async () => (await import("./snapshot.ts")).takeSnapshot(handle)),
    read: (record, filter) =>
      reading("read the store", () => readRecords(handle.records, record, filter)),
    readNewest: (filter, page) =>
      reading("read the store", () => readNewest(handle.records, filter, page)),
    count: (record, filter) =>
      reading("read the store", () => countRecords(handle.records, record, filter)),
    readSteps: (since) => reading("read the store", () => readSteps(handle.records, since)),
    readUses: (filter) => reading("read the store", () => readUses(handle.uses, filter)),
    search: (query) => reading("search the store", () => searchMemories(handle, query)),
    vectorState: () => reading("read the store's vectors", () => readVectorState(handle)),
    recordUses: (uses) =>
      writing("write to the store", async () =>
        (await import("./uses.ts")).recordUses(handle, uses),
      ),
    commit: (puts) => changing("write to the store", (side) => side.commitPuts(handle, puts)),
    purge: (images) =>
      changing("remove from the store", (side) => side.purgeRecords(handle, images)),
    dropHistory: () => changing("drop older versions", (side) => side.dropHistory(handle)),
    acquireLease: (request) =>
      changing("take the lease", (side) => side.acquireLease(handle, request)),
    releaseLease: (token) =>
      changing("release the lease", (side) => side.releaseLease(handle, token)),
    reembed: (onProgress) =>
      changing("renew the store's vectors", (side) => side.reembedMemories(handle, onProgress)),
    maintain: (now) => changing("maintain the store", (side) => side.maintainStore(handle, now)),
    verify: () =>
      reading("read the store", async () => (await import("./verify.ts")).verifyStore(handle)),
    close: async () => {
      closed = true;
      handle.connection.close();
    },
  };
}

/** A clean-up by another process may take a file away under a reading; the next one starts from the newest version. */
async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRefused(error)) throw error;
    return work();
  }
}
