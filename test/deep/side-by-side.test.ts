import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { open } from "../../src/index.ts";
import { isLive, type Memory } from "../../src/model/memory.ts";
import { createHome, spawnCli } from "../e2e/spawn-cli.ts";

const ROUNDS = 6;

test("remember and recall in a loop beside run in a loop lose nothing and never see half a batch", async () => {
  const home = await createHome();
  await mkdir(path.join(home, "vault"));
  await spawnCli({ home }, "init", "--vault", "vault");
  let isWriting = true;
  const said: string[] = [];

  const remember = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      // Copies, so that each run has something to merge while the next ones arrive.
      for (const text of [
        `The depot in bay ${round} opens at 6:30.`,
        `The depot in bay ${round}  opens at 6:30`,
      ]) {
        const added = await spawnCli({ home }, "remember", text, "--json");
        expect(added.code).toBe(0);
        said.push(text);
      }
      expect((await spawnCli({ home }, "recall", "depot opens", "--json")).code).toBe(0);
    }
    isWriting = false;
  };
  const run = async (): Promise<void> => {
    do {
      const result = await spawnCli({ home }, "run", "--json");
      // 1: a record moved under the run, which says so; the next run takes it up.
      expect([0, 1]).toContain(result.code);
    } while (isWriting);
  };
  const look = async (): Promise<void> => {
    await using slowwave = await open({ store: path.join(home, "store"), readOnly: true, env: {} });
    while (isWriting) {
      const { memories } = await slowwave.getStorage().snapshot();
      expect(halfMerged(memories)).toEqual([]);
    }
  };
  await Promise.all([remember(), run(), look()]);

  const last = await spawnCli({ home }, "run", "--json");
  expect(last.code).toBe(0);
  await using slowwave = await open({ store: path.join(home, "store"), readOnly: true, env: {} });
  const { memories, uses } = await slowwave.getStorage().snapshot();
  const live = memories.filter(isLive).map((memory) => memory.content.replace(/\s+/g, " "));
  for (const text of said)
    expect(live.join("\n")).toContain(text.replace(/\s+/g, " ").replace(/\.$/, ""));
  expect(halfMerged(memories)).toEqual([]);
  expect(uses.filter((use) => use.kind === "recall").length).toBeGreaterThanOrEqual(ROUNDS);
});

function halfMerged(memories: readonly Memory[]): readonly string[] {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return memories
    .filter(
      (memory) =>
        isLive(memory) && memory.leaves.some((leaf) => byId.get(leaf)?.supersededBy !== memory.id),
    )
    .map((memory) => memory.id);
}
