import fc from "fast-check";
import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import { type Memory, memoryKey, reviseMemory } from "../../src/model/memory.ts";
import { settingsSchema } from "../../src/model/settings.ts";
import { measureRun } from "../../src/scheduler/measure-run.ts";
import { aMemory, aUse, BUILT_AT } from "../builders.ts";

const settings = settingsSchema.parse({});
const DAY_MS = 86_400_000;

test("memories are counted by the score that the agents go by, at the edges where the agents decide", () => {
  const now = BUILT_AT + 30 * DAY_MS;
  const memories = [
    aMemory({ id: "old" }),
    aMemory({ id: "used" }),
    aMemory({ id: "new", createdAt: now, content: "é" }),
    aMemory({ id: "gone", status: "archived", archivedReason: "merged" }),
    aMemory({ id: "never", status: "archived", archivedReason: "undone" }),
  ];
  const uses = [aUse({ id: "u", memoryId: "used", at: now })];
  const { edges, before, after } = measureRun({
    ...{ snapshot: { memories, uses }, changes: [], settings, now },
  });
  expect(edges).toEqual([0.05, 0.15, 0.25, 0.35, 0.65, 1]);
  expect(before).toMatchObject({ memories: 3, archived: 1, notes: 0 });
  expect(before.bytes).toBe(2 * 24 + 2);
  // 30 days without a use leave 0.06; a use today makes 1.5.
  expect(before.scores).toEqual([0, 1, 0, 0, 0, 0, 2]);
  expect(after).toEqual(before);
});

test("what a run leaves is measured as the store that has it would be", () => {
  const edit = fc.record({
    id: fc.constantFrom("a", "b", "c", "d"),
    to: fc.constantFrom("archived", "promoted", "undone", "edited"),
  });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
      const first = ["a", "b", "c"].map((id) => aMemory({ id, leaves: id === "c" ? ["a"] : [] }));
      const store = new Map(first.map((memory) => [memoryKey(memory), memory]));
      const uses = [aUse({ memoryId: "a", at: BUILT_AT })];
      const changes = edits.map(({ id, to }): Change => {
        const before = store.get(memoryKey(aMemory({ id }))) ?? null;
        const after = changed(before ?? aMemory({ id }), to);
        store.set(memoryKey(after), after);
        return { kind: "memory.put", before, after };
      });
      const now = BUILT_AT + 5 * DAY_MS;
      const measure = (memories: readonly Memory[], some: readonly Change[]) =>
        measureRun({ snapshot: { memories, uses }, changes: some, settings, now });
      expect(measure(first, changes).after).toEqual(measure([...store.values()], []).before);
    }),
  );
});

function changed(memory: Memory, to: "archived" | "promoted" | "undone" | "edited"): Memory {
  switch (to) {
    case "archived":
      return reviseMemory(memory, { status: "archived", archivedReason: "decayed" });
    case "undone":
      return reviseMemory(memory, { status: "archived", archivedReason: "undone" });
    case "promoted":
      return reviseMemory(memory, {
        status: "promoted",
        vaultPath: "n.md",
        archivedReason: undefined,
      });
    case "edited":
      return reviseMemory(memory, { content: `${memory.content}!` });
  }
}
