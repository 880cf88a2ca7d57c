import { expect, test } from "vitest";
import { createEmbeddedTracker } from "../../../src/adapters/issues-embedded/create-embedded-tracker.ts";
import { createHashEmbedder } from "../../../src/adapters/memory/hash-embedder.ts";
import { createMemoryStore } from "../../../src/adapters/memory/memory-store.ts";
import { anIssue, BUILT_AT } from "../../builders.ts";
import { testIssueTracker } from "../../contracts/issue-tracker.ts";

testIssueTracker("embedded tracker", async () =>
  createEmbeddedTracker(createMemoryStore({ embedder: createHashEmbedder() })),
);

test("the embedded tracker finds the same finding under an id of another making", async () => {
  const store = createMemoryStore({ embedder: createHashEmbedder() });
  const imported = anIssue({ id: "imported-1" });
  await store.commit([{ record: "issue", before: null, after: imported }]);
  const { title, notes, fingerprint } = imported;
  const finding = { namespace: "default", title, notes, fingerprint };
  const actor = { by: "agent:cluster", at: BUILT_AT };
  expect(await createEmbeddedTracker(store).create(finding, actor)).toEqual({
    issue: imported,
    created: false,
  });
});

test("the embedded tracker does not show the issue of an undone run", async () => {
  const store = createMemoryStore({ embedder: createHashEmbedder() });
  const undone = anIssue({ undone: true });
  await store.commit([{ record: "issue", before: null, after: undone }]);
  const tracker = createEmbeddedTracker(store);
  expect(await tracker.get(undone.id)).toBeUndefined();
  expect(await tracker.query({})).toEqual([]);
});

test("the embedded tracker gives up on an issue that changes under every attempt", async () => {
  const store = createMemoryStore({ embedder: createHashEmbedder() });
  const issue = anIssue();
  await store.commit([{ record: "issue", before: null, after: issue }]);
  const restless = {
    ...store,
    commit: async () => ({ ok: false as const, conflicts: [] }),
  };
  await expect(
    createEmbeddedTracker(restless).comment(issue.id, "hello", { by: "person:ada", at: BUILT_AT }),
  ).rejects.toMatchObject({
    code: "tracker",
    message: "issue sw-1: still being changed by others",
  });
});
