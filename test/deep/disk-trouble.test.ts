import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { openLanceStore } from "../../src/adapters/lance/open-lance-store.ts";
import { loadStaticEmbedder } from "../../src/adapters/static-embedder/load-static-embedder.ts";
import { open } from "../../src/index.ts";
import { isLive } from "../../src/model/memory.ts";
import { createHome, spawnCli } from "../e2e/spawn-cli.ts";
import { CONTENT } from "../promises/stop-content.ts";
import { NOW } from "../promises/stores.ts";
import { fill } from "../scheduler/run-deps.ts";

/** Disks that are full, written to by nobody else's leave, or losing power. What a test needs and does not find, it says. */

const BIN = path.resolve(import.meta.dirname, "../../bin/slowwave.js");
const AS_OF = new Date(NOW).toISOString();

const isRoot = process.getuid?.() === 0;
const hasStrace = spawnSync("strace", ["-V"]).status === 0;

async function fillStore(uri: string): Promise<void> {
  const embedder = await loadStaticEmbedder();
  const store = await openLanceStore({ uri, embedder, mode: "write", create: true });
  await fill(store, CONTENT.memories);
  await store.recordUses(CONTENT.uses);
  await store.close();
}

function argvOf(store: string, vault: string, ...command: readonly string[]): readonly string[] {
  return [...command, "--store", store, "--vault", vault, "--as-of", AS_OF];
}

async function promotedIn(store: string) {
  await using slowwave = await open({ store, readOnly: true, env: {} });
  const memories = await slowwave.getStorage().read("memory");
  expect(memories.filter(isLive).length).toBeGreaterThan(5);
  return memories.filter(({ status }) => status === "promoted");
}

test("a run on a disk that fills up fails with the reason, half of nothing is left, and the next one finishes", async ({
  skip,
}) => {
  if (!isRoot) skip("a small disk can be mounted by root alone");
  const home = await createHome();
  const disk = path.join(home, "disk");
  await mkdir(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", disk]);
  if (mounted.status !== 0) skip(`no tmpfs can be mounted here: ${mounted.stderr}`);
  onTestFinished(() => void spawnSync("umount", [disk]));
  const [store, vault] = [path.join(disk, "store"), path.join(home, "vault")];
  await mkdir(vault);
  await fillStore(store);
  // All but a few blocks.
  execFileSync("sh", ["-c", `cat /dev/zero > ${disk}/ballast 2>/dev/null || true`]);
  const full = await spawnCli({ home }, ...argvOf(store, vault, "run"));
  expect(full.code).toBe(1);
  expect(full.stderr).toMatch(/no space left|storage full/i);
  expect(full.stderr).not.toMatch(/^\s+at /m);
  expect((await promotedIn(store)).length).toBe(0);
  await rm(path.join(disk, "ballast"));
  const next = await spawnCli({ home }, ...argvOf(store, vault, "run"));
  expect({ code: next.code, stderr: next.stderr }).toMatchObject({ code: 0 });
  expect((await promotedIn(store)).length).toBeGreaterThan(0);
});

test("a vault whose disk is full keeps every note whole, and the memories wait", async ({
  skip,
}) => {
  if (!isRoot) skip("a small disk can be mounted by root alone");
  const home = await createHome();
  const [store, vault] = [path.join(home, "store"), path.join(home, "vault")];
  await mkdir(vault);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", vault]);
  if (mounted.status !== 0) skip(`no tmpfs can be mounted here: ${mounted.stderr}`);
  onTestFinished(() => void spawnSync("umount", [vault]));
  execFileSync("sh", ["-c", `head -c 60000 /dev/zero > ${vault}/ballast; true`]);
  await fillStore(store);
  const full = await spawnCli({ home }, ...argvOf(store, vault, "run"));
  expect(full.code).toBe(1);
  expect(full.stdout + full.stderr).toMatch(/no space left|ENOSPC/i);
  const names = await readdir(vault, { recursive: true });
  expect(names.filter((name) => name.includes("slowwave-tmp"))).toEqual([]);
  for (const { vaultPath = "" } of await promotedIn(store)) {
    expect(await readFile(path.join(vault, vaultPath), "utf8")).toContain("slowwave:end");
  }
  await rm(path.join(vault, "ballast"));
  spawnSync("mount", ["-o", "remount,size=1m", vault]);
  expect((await spawnCli({ home }, ...argvOf(store, vault, "run"))).code).toBe(0);
  expect((await promotedIn(store)).length).toBeGreaterThan(4);
});

test("a store and a vault that may not be written to are named with what to do, and nothing changes", async ({
  skip,
}) => {
  const home = await createHome();
  const [store, vault] = [path.join(home, "store"), path.join(home, "vault")];
  await mkdir(vault);
  await fillStore(store);
  const readOnly = async (folder: string) => {
    if (!isRoot) {
      await chmod(folder, 0o500);
      return;
    }
    // Root may write everywhere but on a file system that is mounted for reading.
    const bound = spawnSync("mount", ["--bind", folder, folder]);
    if (bound.status !== 0) skip(`nothing can be mounted here: ${bound.stderr}`);
    onTestFinished(() => void spawnSync("umount", [folder]));
    spawnSync("mount", ["-o", "remount,bind,ro", folder]);
  };
  await readOnly(vault);
  const waiting = await spawnCli({ home }, ...argvOf(store, vault, "run"));
  expect(waiting.stdout + waiting.stderr).toMatch(/read-only|cannot be written|permission/i);
  expect(await promotedIn(store)).toEqual([]);
  await readOnly(store);
  const refused = await spawnCli({ home }, ...argvOf(store, vault, "remember", "A new fact."));
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/read-only|permission/i);
  const shown = await spawnCli({ home }, "list", "--store", store);
  expect(shown.code).toBe(0);
});

test("every file and folder that remember and a run made is synced before it returns", {
  timeout: 10 * 60_000,
}, async ({ skip }) => {
  if (!hasStrace) skip("strace is not installed: nothing was checked");
  const home = await createHome();
  const [store, vault] = [path.join(home, "store"), path.join(home, "vault")];
  await mkdir(vault);
  await fillStore(store);
  for (const command of [["remember", "The kettle of the third floor is blue."], ["run"]]) {
    const trace = path.join(home, "trace");
    const calls =
      "openat,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat,fsync,fdatasync";
    await promisify(execFile)(
      "strace",
      [
        "-f",
        "-y",
        "-qq",
        "-s",
        "4096",
        "-e",
        `trace=${calls}`,
        "-o",
        trace,
        process.execPath,
        BIN,
        ...argvOf(store, vault, ...command),
      ],
      { env: { PATH: process.env.PATH, HOME: home, SLOWWAVE_HOME: home }, maxBuffer: 1 << 26 },
    );
    const unsynced = unsyncedIn(await readFile(trace, "utf8"), [store, vault]);
    expect({ command, unsynced }).toEqual({ command, unsynced: [] });
  }
});

/** What was made below these folders and is still there, but was not synced since: files, and the folders that name them. */
function unsyncedIn(trace: string, folders: readonly string[]): readonly string[] {
  const owed = new Map<string, string>();
  const owes = (file: string, isNew: boolean): void => {
    // The lock and the marker are made anew by whoever comes next, and a half note is no note.
    if (/commit\.lock|durable\.json|\.slowwave-tmp/.test(file)) return;
    if (!folders.some((folder) => file.startsWith(folder))) return;
    owed.set(path.dirname(file), `the folder of ${file}`);
    if (isNew) owed.set(file, file);
  };
  for (const line of trace.split("\n").filter((one) => !/ = -1 /.test(one))) {
    const call = /(\w+)\(/.exec(line)?.[1] ?? "";
    const [from = "", to = ""] = [...line.matchAll(/"([^"]*)"/g)].map(([, name = ""]) => name);
    const kind = KINDS.find(
      ({ of }) => of.test(call) && (call !== "openat" || line.includes("O_CREAT")),
    );
    kind?.follow({ owed, owes, from, to, synced: /<([^>]*)>/.exec(line)?.[1] ?? "" });
  }
  return [...owed.values()];
}

interface Call {
  readonly owed: Map<string, string>;
  owes(file: string, isNew: boolean): void;
  readonly from: string;
  readonly to: string;
  readonly synced: string;
}

const KINDS: readonly { readonly of: RegExp; follow(call: Call): void }[] = [
  { of: /sync/, follow: ({ owed, synced }) => void owed.delete(synced) },
  { of: /unlink|rmdir/, follow: ({ owed, from }) => void owed.delete(from) },
  { of: /mkdir/, follow: ({ owes, from }) => owes(from, false) },
  {
    of: /rename/,
    // What was synced under its first name is safe under the next.
    follow: ({ owed, owes, from, to }) => {
      owes(to, owed.has(from));
      owed.delete(from);
    },
  },
  { of: /link/, follow: ({ owed, owes, from, to }) => owes(to, owed.has(from)) },
  { of: /openat/, follow: ({ owes, from }) => owes(from, true) },
];
