import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { previewPurge, purgeMemory } from "../../../src/api/purge/purge-memory.ts";
import { runDepsOf } from "../../../src/api/run-deps-of.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import { agentLabel, createIssue, fingerprintOf } from "../../../src/model/issue.ts";
import { type Memory, reviseMemory } from "../../../src/model/memory.ts";
import { runPipeline } from "../../../src/scheduler/run-pipeline.ts";
import { undoRun } from "../../../src/scheduler/undo/undo-run.ts";
import { openParts, type Parts } from "../../../src/wire.ts";
import { aRepository } from "../../adapters/git/a-repository.ts";
import { aMemory, aUse, BUILT_AT } from "../../builders.ts";
import { fill } from "../../scheduler/run-deps.ts";

const NOW = BUILT_AT + 10 * DAY_MS;
const WORD = "zanzibarquux9";
const SECRET = `The staging gateway opens with ${WORD} as its password.`;

interface Place {
  readonly parts: Parts;
  readonly root: string;
  readonly cache: string;
  git(...args: readonly string[]): string;
}

/** Store, vault in a repository, cache: all real. */
async function aPlace(): Promise<Place> {
  const { root, git } = await aRepository();
  const [vault, cache] = [path.join(root, "vault"), path.join(root, "cache")];
  await mkdir(vault);
  await mkdir(path.join(cache, "llm", "replies"), { recursive: true });
  const config = await loadConfig({
    env: { SLOWWAVE_HOME: root },
    flags: { store: path.join(root, "store"), vault },
  });
  const parts = await openParts({ config, asOf: NOW });
  return { parts, root, cache, git };
}

function optionsOf({ parts, cache }: Place) {
  const { signal } = new AbortController();
  return { cacheFolder: cache, storeFolder: parts.config.store, signal };
}

/** Files below the folder that hold the word, git's own left out. */
async function filesWith(root: string, word: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes("/.git"));
  const found = files.map(async ({ parentPath, name }) => {
    const isNamed = name.includes(word);
    const file = path.join(parentPath, name);
    return isNamed || (await readFile(file)).includes(word) ? [path.relative(root, file)] : [];
  });
  return (await Promise.all(found)).flat();
}

function young(id: string, content: string): Memory {
  return aMemory({ id, content, entities: ["Gateway"], tags: ["ops"], createdAt: BUILT_AT });
}

const A = young("a", SECRET);
const B = young("b", "Mira looks after the staging gateway and its certificates.");
const C = young("c", "The gateway is restarted on Mondays, before the first deploy.");

/** The issue that has these merged in the next run. */
function mergeOf(members: readonly Memory[]) {
  const [agent, action, namespace] = ["cluster", "llm_review", "default"];
  const memoryIds = members.map(({ id }) => id);
  const fingerprint = fingerprintOf({ agent, action, namespace, members });
  const notes = {
    agent,
    action,
    memoryIds,
    urgency: "low",
    reason: "alike",
    scores: {},
    details: {},
  } as const;
  const labels = [agentLabel("merge"), "approved"];
  const after = createIssue(
    { namespace, title: `Merge: ${SECRET}`, notes, fingerprint, labels },
    NOW,
  );
  return { record: "issue", before: null, after } as const;
}

function usesOf(...ids: readonly string[]) {
  return ids.flatMap((memoryId) =>
    [1, 2, 3, 4, 5, 6].map((day) =>
      aUse({ id: `${memoryId}-${day}`, memoryId, at: NOW - day * DAY_MS }),
    ),
  );
}

test("after a purge no file of store, vault or cache holds the secret, and what it was merged with is whole", async () => {
  const place = await aPlace();
  const { parts, root, cache } = place;
  const { store } = parts;
  await fill(store, [A, B, C]);
  await store.recordUses(usesOf("a", "b", "c"));
  await store.commit([mergeOf([A, B])]);
  const { run } = await runPipeline(runDepsOf(parts));
  const [merged] = (await store.read("memory")).filter(({ leaves }) => leaves.length > 0);
  expect(merged).toMatchObject({ status: "promoted", leaves: ["a", "b"] });
  expect(merged?.content).toContain(WORD);
  const reply = path.join(cache, "llm", "replies", "1.json");
  await writeFile(reply, JSON.stringify({ text: JSON.stringify({ merged: SECRET }) }));
  const clean = path.join(cache, "llm", "replies", "2.json");
  await writeFile(clean, JSON.stringify({ text: "Something else." }));
  const before = await filesWith(root, WORD);
  expect(before.filter((file) => file.startsWith("vault/"))).not.toEqual([]);

  const preview = await previewPurge(parts, { id: "a" }, optionsOf(place));
  expect(await filesWith(root, WORD)).toEqual(before);
  const report = await purgeMemory(parts, { id: "a" }, optionsOf(place));
  expect(report).toMatchObject({
    purged: ["a"],
    remade: [merged?.id],
    issues: 1,
    uses: 6,
    cacheFiles: 1,
    alsoSaidBy: [],
  });
  expect(preview).toMatchObject({ ...report, history: expect.any(Number), remains: [] });
  expect(await filesWith(root, WORD)).toEqual([]);
  expect(await readFile(clean, "utf8")).toContain("Something else");

  const memories = await store.read("memory");
  expect(memories.map(({ id }) => id).sort()).toEqual(["b", "c", merged?.id].sort());
  const [remade] = memories.filter(({ leaves }) => leaves.length > 0);
  expect(remade).toMatchObject({ content: B.content, leaves: ["b"], status: "promoted" });
  const note = await readFile(path.join(root, "vault", remade?.vaultPath ?? ""), "utf8");
  expect(note).toContain(B.content);
  expect(place.git("status", "--porcelain", "vault")).toBe("");

  const again = await runPipeline(runDepsOf(parts));
  // The month's log counts one less.
  const done = again.fates.filter(({ fate, proposal }) => {
    return fate === "applied" && !proposal.changes.every(({ kind }) => kind === "note.put");
  });
  expect(done).toEqual([]);
  const undo = await undoRun(runDepsOf(parts), run.id);
  expect(undo.refused.map(({ id }) => id)).toContain(remade?.id);
  expect(await filesWith(root, WORD)).toEqual([]);
  await parts.close();
});

test("a merged memory that a person rewrote with the secret in it is named, and nothing is removed", async () => {
  const place = await aPlace();
  const { parts, root } = place;
  const { store } = parts;
  await fill(store, [A, B]);
  await store.commit([mergeOf([A, B])]);
  await runPipeline(runDepsOf(parts));
  const [merged = A] = (await store.read("memory")).filter(({ leaves }) => leaves.length > 0);
  const after = reviseMemory(merged, { content: `As Mira told me: ${SECRET}` });
  await store.commit([{ record: "memory", before: merged, after }]);
  const before = await filesWith(root, WORD);
  await expect(purgeMemory(parts, { id: "a" }, optionsOf(place))).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining(merged.id),
    hint: expect.stringContaining("slowwave edit"),
  });
  expect(await filesWith(root, WORD)).toEqual(before);

  // The merged memory itself: all that it was made of goes with it.
  const report = await purgeMemory(parts, { id: merged.id }, optionsOf(place));
  expect([...report.purged].sort()).toEqual(["a", "b", merged.id].sort());
  expect(await store.read("memory")).toEqual([]);
  expect(await filesWith(root, WORD)).toEqual([]);
  await parts.close();
});

test("what else says it, in a memory or in a person's own note, is named and stays", async () => {
  const place = await aPlace();
  const { parts, root } = place;
  await fill(parts.store, [A, young("d", `Remember. ${SECRET}`)]);
  await writeFile(path.join(root, "vault", "Mine.md"), `I wrote: ${SECRET}`);
  const report = await purgeMemory(parts, { id: "a" }, optionsOf(place));
  expect(report.alsoSaidBy).toEqual(["d"]);
  expect(report.remains.join("\n")).toContain("Mine.md");
  expect(report.remains.join("\n")).toContain("another memory");
  expect((await parts.store.read("memory")).map(({ id }) => id)).toEqual(["d"]);
  expect(await readFile(path.join(root, "vault", "Mine.md"), "utf8")).toContain(WORD);
  await parts.close();
});
