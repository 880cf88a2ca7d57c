import { SlowwaveError } from "../../model/errors.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import { commitPuts } from "./commit.ts";
import { dropHistory } from "./drop-history.ts";
import { isRefused, translating } from "./errors.ts";
import type { Handle } from "./handle.ts";
import { acquireLease, releaseLease } from "./lease.ts";
import { maintainStore } from "./maintain.ts";
import { purgeRecords } from "./purge.ts";
import { readRecords, readUses } from "./read.ts";
import { readVectorState, reembedMemories } from "./reembed.ts";
import { searchMemories } from "./search.ts";
import { takeSnapshot } from "./snapshot.ts";
import { recordUses } from "./uses.ts";

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
  return {
    uri,
    storeId: handle.storeId,
    writable,
    snapshot: () => reading("read the store", () => takeSnapshot(handle)),
    read: (record, filter) =>
      reading("read the store", () => readRecords(handle.records, record, filter)),
    readUses: (filter) => reading("read the store", () => readUses(handle.uses, filter)),
    search: (query) => reading("search the store", () => searchMemories(handle, query)),
    commit: (puts) => writing("write to the store", () => commitPuts(handle, puts)),
    recordUses: (uses) => writing("write to the store", () => recordUses(handle, uses)),
    purge: (images) => writing("remove from the store", () => purgeRecords(handle, images)),
    dropHistory: () => writing("drop older versions", () => dropHistory(handle)),
    acquireLease: (request) => writing("take the lease", () => acquireLease(handle, request)),
    releaseLease: (token) => writing("release the lease", () => releaseLease(handle, token)),
    vectorState: () => reading("read the store's vectors", () => readVectorState(handle)),
    reembed: (onProgress) =>
      writing("renew the store's vectors", () => reembedMemories(handle, onProgress)),
    maintain: (now) => writing("maintain the store", () => maintainStore(handle, now)),
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
