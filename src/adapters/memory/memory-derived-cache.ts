import type { DerivedCache } from "../../ports/derived-cache.ts";

/** Keeps everything as long as the object lives. */
export function createMemoryDerivedCache(): DerivedCache {
  const kept = new Map<string, { readonly basis: string; readonly bytes: Uint8Array }>();
  return {
    read: async (name, basis) => {
      const found = kept.get(name);
      return found?.basis === basis ? found.bytes.slice() : undefined;
    },
    write: async (name, basis, bytes) => {
      kept.set(name, { basis, bytes: bytes.slice() });
    },
  };
}
