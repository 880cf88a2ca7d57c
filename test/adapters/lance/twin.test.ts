import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createHashEmbedder } from "../../../src/adapters/memory/hash-embedder.ts";
import { createMemoryStore } from "../../../src/adapters/memory/memory-store.ts";
import { type Memory, reviseMemory } from "../../../src/model/memory.ts";
import type { MemoryStore, RecordPut } from "../../../src/ports/memory-store.ts";
import { everyRelation } from "../../../src/ports/relation-columns.ts";
import { aMemory, aRelation, aUse } from "../../builders.ts";
import { openStore, tempFolder } from "./temp-store.ts";

const id = fc.constantFrom("a", "b", "c'", 'd"\\');
const text = fc.string({ unit: "binary", maxLength: 20 });
const step = fc.oneof(
  fc.record({
    kind: fc.constant("commit" as const),
    edits: fc.array(fc.record({ id, text, stale: fc.boolean() }), { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("link" as const), from: id, to: id, undone: fc.boolean() }),
  fc.record({
    kind: fc.constant("use" as const),
    id: fc.constantFrom("u1", "u2", "u3"),
    memoryId: id,
  }),
  fc.record({ kind: fc.constant("maintain" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A batch of edits against what the given store holds; a stale one expects what never was there. */
async function putsFor(
  store: MemoryStore,
  { edits }: Step & { kind: "commit" },
): Promise<RecordPut[]> {
  const memories = new Map((await store.read("memory")).map((memory) => [memory.id, memory]));
  const distinct = new Map(edits.map((edit) => [edit.id, edit]));
  return [...distinct.values()].map(({ id: memoryId, text: content, stale }): RecordPut => {
    const found: Memory | undefined = memories.get(memoryId);
    const before = stale
      ? aMemory({ id: memoryId, content: "never there", revision: 9 })
      : (found ?? null);
    const after = before
      ? reviseMemory(before, { content, tags: [content] })
      : aMemory({ id: memoryId, content });
    return { record: "memory", before, after };
  });
}

async function play(store: MemoryStore, move: Step): Promise<unknown> {
  switch (move.kind) {
    case "commit": {
      const result = await store.commit(await putsFor(store, move));
      return result.ok ? "written" : result.conflicts;
    }
    case "link": {
      const { undone, ...ends } = move;
      const link = aRelation({
        id: `${ends.from}-${ends.to}`,
        from: ends.from,
        to: ends.to,
        ...(undone && { undone }),
      });
      const result = await store.commit([{ record: "relation", before: null, after: link }]);
      return result.ok ? "written" : result.conflicts;
    }
    case "use":
      return store.recordUses([aUse({ id: move.id, memoryId: move.memoryId })]);
    case "maintain":
      return void (await store.maintain(Date.now()));
  }
}

test("the LanceDB store and its twin in memory agree on every sequence of writes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (moves) => {
      const embedder = createHashEmbedder();
      const twin = createMemoryStore({ embedder });
      const store = await openStore({ uri: join(await tempFolder(), "store"), embedder });
      // In turns: each move builds on the one before.
      for (const move of moves) expect(await play(store, move)).toEqual(await play(twin, move));
      const [ours, theirs] = await Promise.all([store.snapshot(), twin.snapshot()]);
      expect(ours.memories).toEqual(theirs.memories);
      expect(everyRelation(ours.relations)).toEqual(everyRelation(theirs.relations));
      expect(ours.uses).toEqual(theirs.uses);
      expect(await ours.vectors(ours.memories)).toEqual(await theirs.vectors(theirs.memories));
      for (const touching of ["a", "c'"]) {
        const filter = { touching: [touching] };
        expect(await store.read("relation", filter)).toEqual(await twin.read("relation", filter));
      }
    }),
    { numRuns: 15 },
  );
});
