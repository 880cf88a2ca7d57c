import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { openLanceStore } from "../../src/adapters/lance/open-lance-store.ts";
import { loadStaticEmbedder } from "../../src/adapters/static-embedder/load-static-embedder.ts";
import { open } from "../../src/index.ts";
import { canonicalJson } from "../../src/model/json.ts";
import { createHome, spawnCli } from "../e2e/spawn-cli.ts";
import { CONTENT } from "../promises/stop-content.ts";
import { NOW } from "../promises/stores.ts";
import { fill } from "../scheduler/run-deps.ts";

/** The real command over LanceDB, files and git, ended at each of its writes. */

const BIN = path.resolve(import.meta.dirname, "../../bin/slowwave.js");
const HOOK = path.resolve(import.meta.dirname, "stop-at.mjs");
const AS_OF = new Date(NOW).toISOString();
const PARALLEL = 2;

interface Place {
  readonly home: string;
  readonly store: string;
  readonly vault: string;
}

function placeIn(home: string): Place {
  return { home, store: path.join(home, "store"), vault: path.join(home, "vault") };
}

async function fresh(home: string): Promise<Place> {
  const place = placeIn(home);
  await mkdir(place.vault, { recursive: true });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.vault });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  const embedder = await loadStaticEmbedder();
  const store = await openLanceStore({ uri: place.store, embedder, mode: "write", create: true });
  await fill(store, CONTENT.memories);
  await store.recordUses(CONTENT.uses);
  await store.close();
  return place;
}

async function copyOf(from: Place, home: string): Promise<Place> {
  await cp(from.home, home, { recursive: true });
  return placeIn(home);
}

function argvOf(place: Place, command: readonly string[]): readonly string[] {
  return [...command, "--store", place.store, "--vault", place.vault, "--as-of", AS_OF];
}

/** Exit code, or the signal that ended it. */
async function runHooked(place: Place, command: readonly string[], env: Record<string, string>) {
  const { PATH } = process.env;
  const child = spawn(
    process.execPath,
    ["--import", HOOK, BIN, ...argvOf(place, command), "--quiet"],
    { stdio: "ignore", env: { PATH, HOME: place.home, SLOWWAVE_HOME: place.home, ...env } },
  );
  const [code, signal] = await once(child, "exit");
  return signal ?? code;
}

async function toEnd(place: Place, command: readonly string[]): Promise<void> {
  const { code, stderr } = await spawnCli({ home: place.home }, ...argvOf(place, command));
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
}

async function contentOf(place: Place): Promise<object> {
  await using slowwave = await open({ store: place.store, readOnly: true, env: {} });
  const store = slowwave.getStorage();
  const kinds = ["memory", "relation", "issue"] as const;
  const records = await Promise.all(kinds.map((kind) => store.read(kind)));
  const left = {
    prepared: (await store.read("journal", { state: ["prepared"] })).length,
    owed: (await store.read("outbox", { state: ["open"] })).length,
  };
  const entries = await readdir(place.vault, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile() && !one.parentPath.includes(".git"));
  const notes = files.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    return [path.relative(place.vault, file), await readFile(file, "utf8")] as const;
  });
  const status = execFileSync("git", ["status", "--porcelain"], {
    cwd: place.vault,
    encoding: "utf8",
  });
  return {
    records: canonicalJson(records),
    left,
    status,
    notes: Object.fromEntries((await Promise.all(notes)).sort()),
  };
}

const COMMAND = ["run"];

test("a run that is killed at any of its writes is finished by the next", {
  timeout: 40 * 60_000,
}, async ({ annotate }) => {
  const home = await createHome();
  const start = await fresh(path.join(home, "fresh"));

  const counted = await copyOf(start, path.join(home, "counted"));
  const log = path.join(home, "writes.log");
  expect(await runHooked(counted, COMMAND, { STOP_LOG: log })).toBe(0);
  const writes = (await readFile(log, "utf8")).trim().split("\n");
  const expected = await contentOf(counted);
  expect(expected).toMatchObject({ left: { prepared: 0, owed: 0 }, status: "" });
  await annotate(`${writes.length} points`);
  expect(writes.length).toBeGreaterThan(60);

  let next = 0;
  let missed = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < writes.length; at = next++) {
      const where = `killed at write ${at} of ${writes.length}: ${writes[at]}`;
      const place = await copyOf(start, path.join(home, `at-${at}`));
      // Files are synced side by side, so a run may come to one write less than the one that was counted.
      if ((await runHooked(place, COMMAND, { STOP_AT: String(at) })) !== "SIGKILL") missed += 1;
      await toEnd(place, COMMAND);
      expect({ where, ...(await contentOf(place)) }).toEqual({ where, ...expected });
      await rm(place.home, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  expect(missed).toBeLessThan(writes.length / 20);
});
