import { beforeAll, expect, test } from "vitest";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import { type Memory, reviseMemory } from "../../src/model/memory.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { type RealDeps, realDeps } from "../agents/real-deps.ts";
import { aMemory, aUse } from "../builders.ts";
import { KNOWN_SECRETS } from "../known-secrets.ts";
import { createPromiseRun } from "./promise-runs.ts";
import { expectNoLeak, REVIEW_ALL, SECRETS } from "./secret-runs.ts";
import { NOW } from "./stores.ts";

let real: RealDeps;
beforeAll(async () => {
  real = await realDeps();
});

test("no secret leaves the store, not even where every step waits for a person", async () => {
  await expectNoLeak(SECRETS.slice(0, 2), REVIEW_ALL);
});

const TOKEN = KNOWN_SECRETS[1][1];
const PLAIN = "Kim deploys the ledger service from the blue laptop every Friday.";

test.each<[string, (memory: Memory) => Partial<Memory>]>([
  ["text", () => ({ content: `${PLAIN} It signs in with ${TOKEN} there.` })],
  ["first words", () => ({ content: `The token of Kim is ${TOKEN}. ${PLAIN}` })],
  ["tags", () => ({ tags: [TOKEN] })],
])(
  "a secret that a person adds to the %s of a promoted memory gets into no note, and an issue says so once",
  async (_where, changesOf) => {
    const store = createMemoryStore({ embedder: real.embedder });
    const memory = aMemory({ id: "kim", content: PLAIN, createdAt: NOW - 3 * DAY_MS });
    const uses = [1, 2, 3, 4, 5, 6].map((n) =>
      aUse({ id: `u${n}`, memoryId: "kim", at: NOW - n * 3_600_000 }),
    );
    const notes = new Map<string, string>();
    const deps = await createPromiseRun({
      real,
      store,
      content: { memories: [memory], uses },
      notes,
    });
    await runPipeline(deps);
    const [promoted] = await store.read("memory");
    if (promoted === undefined) throw new Error("the memory is gone");
    expect(promoted.status).toBe("promoted");
    const edited = reviseMemory(promoted, changesOf(promoted));
    await store.commit([{ record: "memory", before: promoted, after: edited }]);
    const night = async (days: number) =>
      await runPipeline({ ...deps, clock: { now: () => NOW + days * DAY_MS } });
    await night(1);
    expect([...notes].flat().join("\n")).not.toContain(TOKEN);
    const issues = await store.read("issue");
    expect(issues).toMatchObject([
      { notes: { reason: expect.stringContaining("holds a secret") } },
    ]);
    expect(JSON.stringify(issues)).not.toContain(TOKEN);
    await night(2);
    expect(await store.read("issue")).toHaveLength(1);
    expect([...notes].flat().join("\n")).not.toContain(TOKEN);
  },
);
