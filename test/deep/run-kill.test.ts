import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { open } from "../../src/index.ts";
import { canonicalJson } from "../../src/model/json.ts";
import { isLive, type Memory } from "../../src/model/memory.ts";
import { createHome, spawnCli } from "../e2e/spawn-cli.ts";

const BIN = path.resolve(import.meta.dirname, "../../bin/slowwave.js");
const DEMO = path.resolve(import.meta.dirname, "../../assets/demo/memories.jsonl");
const AS_OF = "2026-04-13T03:00:00Z";
const KILLS = 50;

test(`a run killed at ${KILLS} random points leaves a store that opens, nothing half done, and a rerun that ends as an undisturbed run`, async () => {
  const home = await createHome();
  const fresh = path.join(home, "fresh");
  await prepare(home, fresh);
  const undisturbed = await copyOf(fresh, path.join(home, "undisturbed"));
  const took = await runToEnd(undisturbed);
  const expected = await contentOf(undisturbed);

  let struck = 0;
  for (const [round, share] of fc
    .sample(fc.double({ min: 0.1, max: 1, noNaN: true }), KILLS)
    .entries()) {
    const place = await copyOf(fresh, path.join(home, `round-${round}`));
    if (await killRun(place, share * took)) struck += 1;
    expect(halfMerges(await memoriesOf(place))).toEqual([]);
    await runToEnd(place);
    expect(await contentOf(place)).toEqual(expected);
  }
  expect(struck).toBeGreaterThan(KILLS / 2);
});

interface Place {
  readonly store: string;
  readonly vault: string;
}

async function prepare(home: string, folder: string): Promise<void> {
  await mkdir(path.join(folder, "vault"), { recursive: true });
  const flags = ["--store", path.join(folder, "store"), "--as-of", AS_OF];
  const imported = await spawnCli({ home }, "import", DEMO, ...flags);
  expect(imported.code).toBe(0);
  // Uses, so that there is something to promote and a signal for decay.
  for (const query of [
    "ledger snapshot",
    "retry limit",
    "deploy on Fridays",
    "React components",
    "pull request",
  ]) {
    const recalled = await spawnCli(
      { home },
      "recall",
      query,
      ...flags.with(-1, "2026-04-12T03:00:00Z"),
    );
    expect(recalled.code).toBe(0);
  }
}

async function copyOf(fresh: string, folder: string): Promise<Place> {
  await cp(fresh, folder, { recursive: true });
  return { store: path.join(folder, "store"), vault: path.join(folder, "vault") };
}

function startRun({ store, vault }: Place): ChildProcess {
  const argv = ["run", "--store", store, "--vault", vault, "--as-of", AS_OF, "--quiet"];
  return spawn(process.execPath, [BIN, ...argv], { stdio: "ignore" });
}

/** Milliseconds it took. */
async function runToEnd(place: Place): Promise<number> {
  const start = performance.now();
  const [code] = await once(startRun(place), "exit");
  expect(code).toBe(0);
  return performance.now() - start;
}

/** True where the run was still going when it was struck. */
async function killRun(place: Place, afterMs: number): Promise<boolean> {
  const run = startRun(place);
  const ended = once(run, "exit");
  await wait(afterMs);
  run.kill("SIGKILL");
  const [, signal] = await ended;
  return signal === "SIGKILL";
}

async function memoriesOf(place: Place): Promise<readonly Memory[]> {
  await using slowwave = await open({ store: place.store, readOnly: true, env: {} });
  return await slowwave.getStorage().read("memory");
}

/** Merged memories whose sources are not all archived in their favour, and sources that lead nowhere. */
function halfMerges(memories: readonly Memory[]): readonly string[] {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return memories
    .filter((memory) => {
      if (isLive(memory))
        return memory.leaves.some((leaf) => byId.get(leaf)?.supersededBy !== memory.id);
      return memory.archivedReason === "merged" && !byId.has(memory.supersededBy ?? "");
    })
    .map((memory) => memory.id);
}

/** All but what names the run itself. */
async function contentOf(
  place: Place,
): Promise<{ readonly records: string; readonly notes: Record<string, string> }> {
  await using slowwave = await open({ store: place.store, readOnly: true, env: {} });
  const store = slowwave.getStorage();
  const records = await Promise.all(
    (["memory", "relation", "issue"] as const).map((kind) => store.read(kind)),
  );
  const files = (await readdir(place.vault, { recursive: true }))
    .filter((file) => file.endsWith(".md"))
    .sort();
  const texts = files.map(
    async (file) => [file, await readFile(path.join(place.vault, file), "utf8")] as const,
  );
  return { records: canonicalJson(records), notes: Object.fromEntries(await Promise.all(texts)) };
}
