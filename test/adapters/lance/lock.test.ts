import { readdir, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLock } from "../../../src/adapters/lance/lock.ts";
import { tempFolder } from "./temp-store.ts";

/** No process of this id: Linux gives none above 2^22. */
const DEAD_PID = 4_999_999;

async function lockFile(owner: object): Promise<string> {
  const path = join(await tempFolder(), "commit.lock");
  await writeFile(path, JSON.stringify({ host: hostname(), token: "other", ...owner }));
  return path;
}

test("a lock lets one in at a time, also from two handles, and goes when all are done", async () => {
  const folder = await tempFolder();
  const locks = [1, 2].map(() => createLock(join(folder, "commit.lock"), 10_000));
  let inside = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 10 }, (_, turn) => locks[turn % 2]?.run(work)));
  expect(most).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test("a lock of a process that died is taken over at once", async () => {
  const path = await lockFile({ pid: DEAD_PID });
  const held = await createLock(path, 600_000).run(async () => readdir(join(path, "..")));
  expect(held).toEqual(["commit.lock"]);
  expect(await readdir(join(path, ".."))).toEqual([]);
});

test("a lock that its owner has not touched for an hour is taken over, alive or not", async () => {
  const path = await lockFile({ pid: process.pid });
  const longAgo = new Date(Date.now() - 3_600_000);
  await utimes(path, longAgo, longAgo);
  expect(await createLock(path, 600_000).run(async () => "done")).toBe("done");
});

test("work goes on without a lock that cannot be had in time, and leaves it to its owner", async () => {
  const path = await lockFile({ pid: process.pid });
  expect(await createLock(path, 20).run(async () => "done")).toBe("done");
  expect(await readdir(join(path, ".."))).toEqual(["commit.lock"]);
});

test("work that fails gives the lock back and does not stop the next", async () => {
  const path = join(await tempFolder(), "commit.lock");
  const lock = createLock(path, 1_000);
  const failing = lock.run(async () => {
    throw new Error("failed");
  });
  const next = lock.run(async () => "done");
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("done");
  expect(await readdir(join(path, ".."))).toEqual([]);
});
