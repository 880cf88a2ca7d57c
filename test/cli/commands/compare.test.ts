import { expect, test } from "vitest";
import { aMemory } from "../../builders.ts";
import { createTestCli } from "../run-cli.ts";

test.each([
  ["Ben takes 5 mg of ramipril.", "Ben takes 10 mg of ramipril.", "conflict", false],
  ["Ben takes 5 mg of ramipril.", "ben takes 5 mg of ramipril", "duplicate", true],
  ["Ben takes 5 mg of ramipril.", "The depot opens at 6:30.", "unrelated", false],
])("compare judges %j and %j as %s", async (a, b, verdict, autoMerge) => {
  const cli = createTestCli();
  const result = await cli.run("compare", a, b, "--json");
  expect(result.code).toBe(0);
  expect(result.json()).toMatchObject({
    version: 1,
    verdict,
    autoMerge,
    reason: expect.stringMatching(/\w/),
  });
  // No store is opened, so there need be none.
  expect(cli.opened).toEqual([]);
});

test("compare names the spans that contradict each other, in words", async () => {
  const { stdout } = await createTestCli().run(
    "compare",
    "The limit is 5 MB.",
    "The limit is 8 MB.",
  );
  expect(stdout).toContain("conflict");
  expect(stdout).toContain('"5 MB" and "8 MB"');
});

test("compare --ids reads two memories of the store, and says which one is not there", async () => {
  const cli = createTestCli();
  const memories = [
    aMemory({ id: "a", content: "Deploys on Fridays are allowed." }),
    aMemory({ id: "b", content: "Deploys on Fridays are not allowed." }),
  ];
  await cli.store.commit(memories.map((after) => ({ record: "memory", before: null, after })));
  expect((await cli.run("compare", "a", "b", "--ids", "--json")).json()).toMatchObject({
    verdict: "conflict",
  });
  const missing = await cli.run("compare", "a", "x", "--ids");
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain('"x"');
});
