import { expect, test } from "vitest";
import { aMemory } from "../../builders.ts";
import { fill } from "../../scheduler/run-deps.ts";
import { createTestCli } from "../run-cli.ts";

test("gc shows what can go and writes nothing; gc --yes removes exactly that", async () => {
  const cli = createTestCli();
  await fill(cli.store, [aMemory({ id: "a" }), aMemory({ id: "b" })]);
  await cli.run("forget", "a");
  const later = ["--as-of", "2026-04-20T00:00:00Z"];
  const early = await cli.run("gc");
  expect(early.stdout).toContain("0 archived memories would be removed for good");
  expect(early.stdout).toContain("1 archived for less than 30 days");

  const shown = await cli.run("gc", ...later);
  expect(cli.opened.at(-1)).toMatchObject({ mode: "read" });
  expect(shown.stdout).toContain("1 archived memory would be removed for good");
  expect(shown.stdout).toContain("a  forgotten 48 days ago");
  expect(await cli.store.read("memory")).toHaveLength(2);

  const removed = await cli.run("gc", "--yes", "--json", ...later);
  expect(removed.code).toBe(0);
  expect(removed.json()).toMatchObject({ version: 1, removed: 1, memories: [{ id: "a" }] });
  expect((await cli.store.read("memory")).map(({ id }) => id)).toEqual(["b"]);
});
