import { openLanceStore } from "../../../src/adapters/lance/open-lance-store.ts";
import { createHashEmbedder } from "../../../src/adapters/memory/hash-embedder.ts";
import { type Memory, reviseMemory } from "../../../src/model/memory.ts";
import type { MemoryStore, RecordPut } from "../../../src/ports/memory-store.ts";
import { aMemory } from "../../builders.ts";

// A process that commits: each batch counts up one shared memory and adds a pair. Arguments: store, name, batches, lockWaitMs.
// Prints one line a batch once the store has said that it is safe.

const [uri = "", name = "", batches = "0", lockWaitMs = "0"] = process.argv.slice(2);
const store = await openLanceStore({
  uri,
  embedder: createHashEmbedder(),
  mode: "write",
  lockWaitMs: Number(lockWaitMs),
});
for (let batch = 0; batch < Number(batches); batch++) {
  // In turns: the next batch builds on this one.
  while (!(await commitBatch(store, batch)));
  process.stdout.write(`${name}-${batch}\n`);
  if (batch % 12 === 11) await store.maintain(Date.now());
}
await store.recordUses([
  { id: "shared", namespace: "default", memoryId: "counter", kind: "touch", at: 0 },
  { id: `own-${name}`, namespace: "default", memoryId: "counter", kind: "touch", at: 0 },
]);
await store.close();

async function commitBatch(target: MemoryStore, batch: number): Promise<boolean> {
  const [counter] = await target.read("memory", { namespace: "default", ids: ["counter"] });
  const pair = ["a", "b"].map((half) =>
    create(aMemory({ id: `${name}-${batch}-${half}`, content: `half ${half}` })),
  );
  const { ok } = await target.commit([countUp(counter, `${name}-${batch}`), ...pair]);
  return ok;
}

function create(after: Memory): RecordPut {
  return { record: "memory", before: null, after };
}

/** Tagged with the batch: an edit that equals another writer's would count as written already. */
function countUp(counter: Memory | undefined, batch: string): RecordPut {
  const tags = [batch];
  if (!counter) return create(aMemory({ id: "counter", content: "counts batches", tags }));
  const after = reviseMemory(counter, { baseUseCount: counter.baseUseCount + 1, tags });
  return { record: "memory", before: counter, after };
}
