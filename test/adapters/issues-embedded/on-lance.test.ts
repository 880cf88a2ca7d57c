import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { createEmbeddedTracker } from "../../../src/adapters/issues-embedded/create-embedded-tracker.ts";
import { openLanceStore } from "../../../src/adapters/lance/open-lance-store.ts";
import { createHashEmbedder } from "../../../src/adapters/memory/hash-embedder.ts";
import { testIssueTracker } from "../../contracts/issue-tracker.ts";

testIssueTracker("embedded tracker on LanceDB", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-tracker-"));
  const store = await openLanceStore({
    uri: path.join(folder, "store"),
    embedder: createHashEmbedder(),
    mode: "write",
    create: true,
  });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  return createEmbeddedTracker(store);
});
