import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reviseMemory } from "../../../src/model/memory.ts";
import { aMemory, aUse } from "../../builders.ts";
import { fill } from "../../scheduler/run-deps.ts";
import { openStore, tempFolder } from "./temp-store.ts";

async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) =>
      (await readFile(join(parentPath, name))).includes(text) ? [name] : [],
    ),
  );
  return found.flat();
}

test("after history was dropped no file holds what was purged or replaced, and everything else is as it was", async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri });
  const others = Array.from({ length: 60 }, (_, at) =>
    aMemory({ id: `m${at}`, content: `Fact number ${at} of the harbour office.` }),
  );
  const secret = aMemory({ id: "secret", content: "The vault code is zanzibarquux9." });
  const [first = secret] = others;
  const wrong = { ...first, content: "It is zanzibarquux9, says Mira." };
  await fill(store, [secret, wrong, ...others.slice(1)]);
  await store.maintain(Date.now());
  await store.recordUses([aUse({ memoryId: "secret" }), aUse({ id: "u2", memoryId: "m1" })]);
  const right = reviseMemory(wrong, { content: first.content });
  await store.commit([{ record: "memory", before: wrong, after: right }]);
  await store.purge([{ record: "memory", value: secret }]);
  expect(await filesWith(uri, "zanzibarquux9")).not.toEqual([]);
  const reader = await openStore({ uri, mode: "read" });
  const before = await reader.snapshot();

  await store.dropHistory();
  expect(await filesWith(uri, "zanzibarquux9")).toEqual([]);
  expect(await reader.read("memory")).toEqual(before.memories);
  const after = await store.snapshot();
  expect([after.memories, after.uses]).toEqual([before.memories, before.uses]);
  expect(after.uses.map(({ id }) => id)).toEqual(["u2"]);
  const found = await store.search({ namespace: "default", text: "harbour office number 7" });
  expect(found.some(({ memory, textScore }) => memory.id === "m7" && textScore > 0)).toBe(true);
  await fill(store, [aMemory({ id: "new" })]);
  await store.close();
  const again = await openStore({ uri });
  expect((await again.snapshot()).memories).toHaveLength(61);
});
