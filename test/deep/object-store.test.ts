import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startS3Server } from "../adapters/lance/s3-server.ts";
import { openStore } from "../adapters/lance/temp-store.ts";
import { halfBatches, startWorkerIn } from "../adapters/lance/worker-process.ts";
import { testMemoryStore } from "../contracts/memory-store.ts";
import { createHome, spawnCli } from "../e2e/spawn-cli.ts";

testMemoryStore("lance store on S3", async () => {
  const { uri, storageOptions } = await startS3Server({ conditionalPut: true });
  return {
    store: await openStore({ uri, storageOptions }),
    reopen: (mode) => openStore({ uri, storageOptions, mode }),
  };
});

test("processes that commit at once to an object store lose nothing and double nothing", async () => {
  const { uri, env, storageOptions } = await startS3Server({ conditionalPut: true });
  const store = await openStore({ uri, storageOptions });
  const batches = 12;
  const workers = ["p", "q"].map((name) => startWorkerIn(env, uri, name, batches));
  expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
  const { memories, uses } = await store.snapshot();
  expect(memories).toHaveLength(1 + 2 * 2 * batches);
  expect(halfBatches(memories).filter((id) => id !== "counter")).toEqual([]);
  expect(memories.find(({ id }) => id === "counter")).toMatchObject({
    baseUseCount: 2 * batches - 1,
  });
  expect(uses.map(({ id }) => id)).toEqual(["own-p", "own-q", "shared"]);
});

const SRC = path.resolve(import.meta.dirname, "../../src");

/** A process that takes the run lease and keeps it. With `host` it says it is elsewhere, and its lease is over already. */
const HOLDER = `
const [src, store, host] = process.argv.slice(1);
const { openParts } = await import(src + "/wire.ts");
const { loadConfig } = await import(src + "/config/load-config.ts");
const { acquireRunLease } = await import(src + "/scheduler/lease.ts");
const parts = await openParts({ config: await loadConfig({ env: {}, flags: { store } }) });
const system = host
  ? { ...parts.system, processLabel: host + "|boot|1|1", wallNow: () => Date.now() - 3600000 }
  : parts.system;
await acquireRunLease(parts.store, system);
process.stdout.write("held");
setInterval(() => undefined, 1000);
`;

test("runs by processes take turns on an object store, and a silent holder of another host is followed", async () => {
  const home = await createHome();
  const { uri, env } = await startS3Server({ conditionalPut: true });
  const cli = (...argv: readonly string[]) => spawnCli({ home, env }, ...argv, "--store", uri);
  const hold = async (...more: readonly string[]) => {
    const args = ["--import", "tsx", "--input-type=module", "-e", HOLDER, SRC, uri, ...more];
    const holder = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void holder.kill("SIGKILL"));
    await once(holder.stdout, "data");
    return holder;
  };
  expect(await cli("init")).toMatchObject({ code: 0 });
  expect(await cli("remember", "The ledger keeps a snapshot each hour.")).toMatchObject({
    code: 0,
  });

  const holder = await hold();
  expect(await cli("run")).toMatchObject({ code: 3 });
  holder.kill("SIGKILL");
  await once(holder, "close");
  const taken = await cli("run", "--json");
  expect(taken.code).toBe(0);
  expect(JSON.stringify(taken.json().notes)).toMatch(/taken over.*its process has died/);

  await hold("elsewhere");
  const followed = await cli("run", "--json");
  expect(followed.code).toBe(0);
  expect(JSON.stringify(followed.json().notes)).toMatch(/taken over.*elsewhere.*silent/);
  const doctor = (await cli("doctor", "--json")).json();
  expect(doctor).toMatchObject({ ok: true });
});
