import { mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { type DoctorInput, diagnose } from "../../src/api/doctor.ts";
import { repair } from "../../src/api/repair.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { openParts } from "../../src/wire.ts";
import { tempFolder } from "../adapters/lance/temp-store.ts";
import { aJournalEntry, aMemory, aRun } from "../builders.ts";
import { fill } from "../scheduler/run-deps.ts";

/** A store and a vault, opened as the command line does, in this very boot. */
async function aPlace() {
  const home = await tempFolder();
  const [store, vault] = [path.join(home, "store"), path.join(home, "vault")];
  await mkdir(vault);
  const input: DoctorInput = {
    loadConfig: () => loadConfig({ env: { SLOWWAVE_HOME: home }, flags: { store, vault } }),
    openParts,
    schedules: [],
    probeServer: async () => ({ kind: "ready" }),
  };
  const open = async () => await openParts({ config: await input.loadConfig(), create: true });
  return { store, vault, input, open };
}

async function brokenIn(input: DoctorInput): Promise<readonly string[]> {
  return (await diagnose(input)).filter(({ ok }) => !ok).map(({ fix }) => fix ?? "");
}

test("damage is found where it stands, set aside by a repair that says what it took, and then all is well", async () => {
  const { store, input, open } = await aPlace();
  const parts = await open();
  await fill(parts.store, [aMemory({ id: "saved" })]);
  const data = path.join(store, "records.lance", "data");
  const before = new Set(await readdir(data));
  await fill(parts.store, [aMemory({ id: "newest" })]);
  await parts.close();
  const files = (await readdir(data)).filter((name) => !before.has(name));
  for (const name of files) await truncate(path.join(data, name), 20);

  expect(await brokenIn(input)).toEqual([expect.stringContaining("slowwave doctor --repair")]);
  expect(await readdir(store)).not.toContain("damaged");
  const findings = await repair(input);
  expect(findings.every(({ ok }) => ok)).toBe(true);
  expect(findings.map(({ detail }) => detail).join("\n")).toContain("What it added is lost");
  expect(await brokenIn(input)).toEqual([]);
  expect((await diagnose(input)).map(({ check }) => check)).toContain("damage");
  const again = await open();
  expect((await again.store.read("memory")).map(({ id }) => id)).toEqual(["saved"]);
  await again.close();
});

test("a repair finishes what a killed run left half done, and removes its half files", async () => {
  const { store, vault, input, open } = await aPlace();
  const parts = await open();
  const entry = aJournalEntry({
    state: "prepared",
    changes: [{ kind: "note.put", path: "A.md", before: null, after: { text: "whole" } }],
  });
  await parts.store.commit([
    { record: "run", before: null, after: aRun({ status: "interrupted" }) },
    { record: "journal", before: null, after: entry },
  ]);
  await parts.close();
  const halves = [
    path.join(vault, ".A.md.slowwave-tmp-1a2b3c4d"),
    path.join(store, "durable.json.5f0c-11"),
  ];
  for (const half of halves) await writeFile(half, "who");
  await writeFile(path.join(vault, "Mine.md"), "mine");
  expect(await brokenIn(input)).toEqual(["`slowwave run` finishes it."]);
  expect((await diagnose(input)).find(({ check }) => check === "leftovers")?.detail).toContain(
    "2 half files",
  );

  const findings = await repair(input);
  expect(findings.map(({ detail }) => detail).join("\n")).toContain("finished batch");
  expect(await readdir(vault)).toEqual(["A.md", "Mine.md"]);
  expect(await readFile(path.join(vault, "A.md"), "utf8")).toBe("whole");
  expect((await readdir(store)).filter((name) => name.startsWith("durable.json."))).toEqual([]);
  expect(await brokenIn(input)).toEqual([]);
});

test("a repair beside a run that is under way touches nothing of it, and says so", async () => {
  const { input, open } = await aPlace();
  const parts = await open();
  const now = parts.system.wallNow();
  const holder = parts.system.processLabel;
  await parts.store.acquireLease({ holder, token: "mine", now, until: now + 60_000 });
  expect(await repair(input)).toMatchObject([{ check: "repair", ok: false }]);
  await parts.close();
});
