import { expect, test } from "vitest";
import type { Memory } from "../../../src/model/memory.ts";
import { aMemory, anIssue } from "../../builders.ts";
import { fill } from "../../scheduler/run-deps.ts";
import { createTestCli } from "../run-cli.ts";

const FRIDAYS = aMemory({ id: "a", content: "Deploys on Fridays are allowed." });
const NO_FRIDAYS = aMemory({ id: "b", content: "Deploys on Fridays are not allowed." });
const FRIDAYS_TOO = aMemory({ id: "c", content: "Deploys on Fridays are allowed" });

async function withFinding(...memories: readonly Memory[]) {
  const cli = createTestCli();
  await fill(cli.store, memories);
  const { notes, ...issue } = anIssue();
  const after = { ...issue, notes: { ...notes, memoryIds: memories.map(({ id }) => id) } };
  await cli.store.commit([{ record: "issue", before: null, after }]);
  return cli;
}

test.each([["show"], ["issues show"]])(
  "%s says of an issue why its memories contradict or merge, as compare does",
  async (command) => {
    const cli = await withFinding(FRIDAYS, NO_FRIDAYS, FRIDAYS_TOO);
    const words = command.split(" ");
    const { code, stdout } = await cli.run(...words, "sw-1");
    expect(code).toBe(0);
    const compared = (await cli.run("compare", FRIDAYS.content, NO_FRIDAYS.content)).stdout;
    const [verdict = ""] = compared.split("\n");
    expect(verdict).toMatch(/^conflict: /u);
    expect(stdout).toContain(`a and b: ${verdict}`);
    expect(stdout).toContain("a and c: duplicate, merged without asking: they are the same text");
    expect((await cli.run(...words, "sw-1", "--json")).json()).toMatchObject({
      issue: { id: "sw-1" },
      pairs: [
        { a: "a", b: "b", verdict: "conflict", conflicts: [{ kind: "negation" }] },
        { a: "a", b: "c", verdict: "duplicate", autoMerge: true },
        { a: "b", b: "c", verdict: "conflict" },
      ],
    });
  },
);

test("show of a memory explains its pairs in findings that wait, and no others", async () => {
  const cli = await withFinding(FRIDAYS, NO_FRIDAYS, FRIDAYS_TOO);
  const { stdout } = await cli.run("show", "c");
  expect(stdout).toContain("a and c: duplicate");
  expect(stdout).toContain("b and c: conflict");
  expect(stdout).not.toContain("a and b:");
  const { explanations } = (await cli.run("show", "c", "--json")).json();
  expect(explanations).toMatchObject([{ issue: "sw-1", pairs: [{ b: "c" }, { b: "c" }] }]);
  await cli.run("issues", "close", "sw-1", "--reason", "no");
  expect((await cli.run("show", "c", "--json")).json()).toMatchObject({ explanations: [] });
});

test("an embedder that fails leaves the issue readable, and the reason said", async () => {
  const cli = await withFinding(FRIDAYS, NO_FRIDAYS);
  const env = {
    SLOWWAVE_EMBEDDINGS_PROVIDER: "custom-openai-compatible",
    SLOWWAVE_EMBEDDINGS_ENDPOINT: "http://127.0.0.1:9/v1",
    SLOWWAVE_EMBEDDINGS_MODEL: "own",
    SLOWWAVE_EMBEDDINGS_DIMENSIONS: "3",
    SLOWWAVE_EMBEDDINGS_TIMEOUT_SECONDS: "1",
  };
  const { code, stdout } = await cli.runWith({ env }, "show", "sw-1");
  expect(code).toBe(0);
  expect(stdout).toContain(FRIDAYS.content);
  expect(stdout).toContain(
    "not explained: embeddings of custom-openai-compatible/own from 127.0.0.1:9",
  );
});
