import { expect, test } from "vitest";
import { DAY_MS } from "../../src/model/instant.ts";
import { visibleRelations } from "../../src/ports/relation-columns.ts";
import { findGarbage, removeGarbage } from "../../src/scheduler/collect-garbage.ts";
import { aMemory, anIssue, aRelation, aUse, BUILT_AT } from "../builders.ts";
import { createRunDeps, fill } from "./run-deps.ts";

const NOW = BUILT_AT + 100 * DAY_MS;

function archived(id: string, fields: Parameters<typeof aMemory>[0] = {}) {
  return aMemory({
    id,
    status: "archived",
    archivedReason: "decayed",
    archivedAt: NOW - 31 * DAY_MS,
    ...fields,
  });
}

test("only what was archived long ago, is unpinned and unreferenced is removed, with its relations and uses", async () => {
  const deps = createRunDeps({ now: NOW });
  await fill(deps.store, [
    aMemory({ id: "live" }),
    archived("decayed"),
    archived("forgotten", { archivedReason: "forgotten", archivedAt: NOW - 40 * DAY_MS }),
    archived("recent", { archivedAt: NOW - 29 * DAY_MS }),
    archived("pinned", { pinned: true }),
    archived("related"),
    archived("asked"),
    archived("leaf", { archivedReason: "merged", supersededBy: "merge" }),
    aMemory({ id: "merge", leaves: ["leaf", "old"] }),
    archived("old"),
    archived("undone", { archivedReason: "undone" }),
  ]);
  const between = aRelation({ id: "r1", from: "decayed", to: "forgotten" });
  await deps.store.commit([
    { record: "relation", before: null, after: between },
    {
      record: "relation",
      before: null,
      after: aRelation({ id: "r2", from: "related", to: "live" }),
    },
    {
      record: "issue",
      before: null,
      after: anIssue({ notes: { ...anIssue().notes, memoryIds: ["asked"] } }),
    },
  ]);
  await deps.store.recordUses([aUse({ memoryId: "decayed" })]);

  const found = await findGarbage(deps);
  expect(found.memories.map(({ id }) => id)).toEqual(["forgotten", "decayed"]);
  expect(found.relations).toEqual([between]);
  expect(found.kept).toEqual({ recent: 1, pinned: 1, referenced: 3, merged: 1, undone: 1 });
  expect(await deps.store.read("memory")).toHaveLength(11);

  expect(await removeGarbage(deps)).toEqual(found);
  const left = await deps.store.snapshot();
  expect(left.memories.map(({ id }) => id)).not.toContain("decayed");
  expect(left.memories).toHaveLength(9);
  expect(visibleRelations(left.relations).map(({ id }) => id)).toEqual(["r2"]);
  expect(left.uses).toEqual([]);
  expect((await findGarbage(deps)).memories).toEqual([]);
});

test("garbage is not removed while a run is under way", async () => {
  const deps = createRunDeps({ now: NOW });
  await fill(deps.store, [archived("a")]);
  const now = deps.system.wallNow();
  await deps.store.acquireLease({ holder: "other", token: "t", now, until: now + 60_000 });
  await expect(removeGarbage(deps)).rejects.toMatchObject({ code: "busy" });
  expect(await deps.store.read("memory")).toHaveLength(1);
});

test("one namespace's garbage is removed alone", async () => {
  const deps = createRunDeps({ now: NOW });
  await fill(deps.store, [archived("a"), archived("a", { namespace: "work" })]);
  await removeGarbage(deps, "work");
  expect(await deps.store.read("memory")).toMatchObject([{ namespace: "default" }]);
});
