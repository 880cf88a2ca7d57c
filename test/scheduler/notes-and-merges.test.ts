import { beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../../src/model/instant.ts";
import type { RunReport } from "../../src/model/run-report.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { type RealDeps, realDeps } from "../agents/real-deps.ts";
import { aMemory, BUILT_AT } from "../builders.ts";
import { aVault, stepsOf } from "./a-vault.ts";

let real: RealDeps;
beforeAll(async () => {
  real = await realDeps();
});

const USED = { createdAt: BUILT_AT - 2 * DAY_MS, baseUseCount: 3, baseLastUsedAt: BUILT_AT - 1000 };
const BACKUP =
  "The nightly backup of the ledger database runs at two in the morning on the Oslo server.";
const NOTE =
  "Memories/Semantic/The nightly backup of the ledger database runs at two in the morning on the….md";

const appliedIn = (report: RunReport) => stepsOf(report).filter((step) => step.endsWith("applied"));

/** The store takes in one more memory, and a day passes. */
async function aDayLater(
  { deps }: Awaited<ReturnType<typeof aVault>>,
  days: number,
  fields: Parameters<typeof aMemory>[0] = {},
) {
  if (fields.id !== undefined) {
    await deps.store.commit([
      { record: "memory", before: null, after: aMemory({ ...USED, ...fields }) },
    ]);
  }
  return await runPipeline({ ...deps, clock: { now: () => BUILT_AT + days * DAY_MS } });
}

test("a near-duplicate becomes a line of the note that says it already, with its source, until it is one memory with it", async () => {
  const vault = await aVault([{ id: "n", content: BACKUP, ...USED }], { real });
  const { person, run, memory, change } = vault;
  await run();
  expect(await person.notes()).toContain(NOTE);
  const content = BACKUP.replace(
    "runs at two in the morning on",
    "is made at two in the morning, on",
  );
  await change("n", { pinned: true });
  await aDayLater(vault, 1, { id: "c", content, source: "chat", pinned: true });
  expect(await memory("c")).toMatchObject({ status: "active" });
  const text = await person.read(NOTE);
  expect(text).toContain(`\n## Also said\n\n- 2026-02-28, chat: ${content}\n\n> [!info]- Where`);
  expect((await person.notes()).filter((note) => note.startsWith("Memories/Semantic"))).toEqual([
    NOTE,
  ]);
  expect(appliedIn(await aDayLater(vault, 1))).toEqual([]);

  await person.edit(NOTE, `${BACKUP}\n`, `${BACKUP} It takes an hour.\n`);
  await aDayLater(vault, 1);
  expect((await memory("n")).content).toBe(`${BACKUP} It takes an hour.`);
  expect(await person.read(NOTE)).toContain("## Also said");
  await change("c", { status: "archived", archivedAt: BUILT_AT, archivedReason: "forgotten" });
  await aDayLater(vault, 1);
  expect(await person.read(NOTE)).not.toContain("Also said");
});

test("a person's edit of a merged memory's note stays in memory and note through a later merge", async () => {
  const copies = ["a", "b"].map((id) => ({ id, content: BACKUP, ...USED }));
  const vault = await aVault(copies, { real });
  const { person, run, deps } = vault;
  await run();
  const merged = (await deps.store.read("memory", { status: ["promoted"] }))[0];
  expect(merged).toMatchObject({ leaves: ["a", "b"], vaultPath: NOTE });
  await person.edit(NOTE, `${BACKUP}\n`, `${BACKUP} Hjalmar restores it every Friday.\n`);
  await aDayLater(vault, 1);
  await aDayLater(vault, 2, { id: "c", content: BACKUP, createdAt: BUILT_AT - DAY_MS });
  const [after] = await deps.store.read("memory", { ids: [merged?.id ?? ""] });
  expect(after).toMatchObject({ status: "promoted", vaultPath: NOTE });
  expect(after?.content).toContain("Hjalmar restores it every Friday.");
  expect(await person.read(NOTE)).toContain("Hjalmar restores it every Friday.");
  const [copy] = await deps.store.read("memory", { ids: ["c"] });
  expect(copy).toMatchObject({ status: "archived", supersededBy: merged?.id });
  expect(appliedIn(await aDayLater(vault, 2))).toEqual([]);
});

test("the note of a memory that is merged into another's moves to the archive and leads there", async () => {
  const vault = await aVault(
    [
      { id: "n", content: BACKUP, ...USED },
      { id: "m", content: "Tomás Vega prefers small React components with hooks.", ...USED },
    ],
    { real },
  );
  const { person, run, change, memory } = vault;
  await run();
  const { vaultPath = "" } = await memory("m");
  await person.edit(vaultPath, /$/, "\nMine.\n");
  await change("m", {
    status: "archived",
    archivedAt: BUILT_AT + DAY_MS,
    archivedReason: "merged",
    supersededBy: "n",
  });
  await aDayLater(vault, 1);
  const archived = await person.read(vaultPath.replace("Semantic", "Archive"));
  expect(archived).toContain(`merged into another, now [[${NOTE.slice(0, -3)}|`);
  expect(archived.endsWith("\nMine.\n")).toBe(true);
});
