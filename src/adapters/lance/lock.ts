import { randomUUID } from "node:crypto";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { hasCode } from "./file-errors.ts";

/**
 * Makes writers take turns: within a process by a queue, between processes of a machine by a lock file. It only saves retries. The
 * fence of a commit is what keeps writers apart, so a lock that cannot be had in time, or is taken from a dead process twice, does no
 * harm.
 */
export interface StoreLock {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** `path` absent: a store that is not a local folder has the queue alone. */
export function createLock(path: string | undefined, waitMs: number): StoreLock {
  let tail: Promise<unknown> = Promise.resolve();
  return {
    run: (work) => {
      const turn = tail.then(() => (path === undefined ? work() : withFile(path, waitMs, work)));
      // Whoever asked learns of the failure; the next in the queue must not.
      tail = turn.catch(() => undefined);
      return turn;
    },
  };
}

async function withFile<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const token = randomUUID();
  const held = await acquire(path, token, waitMs);
  try {
    return await work();
  } finally {
    if (held) await release(path, token);
  }
}

async function acquire(path: string, token: string, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  const owner = JSON.stringify({ pid: process.pid, host: hostname(), token });
  for (;;) {
    try {
      await writeFile(path, owner, { flag: "wx" });
      return true;
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
    if (performance.now() > deadline) return false;
    if (await isStale(path)) await rm(path, { force: true });
    else await wait(3 + Math.random() * 12);
  }
}

async function release(path: string, token: string): Promise<void> {
  const owner = await readOwner(path);
  if (owner?.token === token) await rm(path, { force: true });
}

/** Longer than any commit takes: whoever holds it so long was stopped, or its process id is someone else's by now. */
const STALE_AFTER_MS = 60_000;
/** Between making the file and filling it. */
const UNWRITTEN_AFTER_MS = 2_000;

async function isStale(path: string): Promise<boolean> {
  const age = await ageOf(path);
  if (age === undefined) return false;
  const owner = await readOwner(path);
  if (owner === undefined) return age > UNWRITTEN_AFTER_MS;
  return age > STALE_AFTER_MS || (owner.host === hostname() && !isAlive(owner.pid));
}

async function ageOf(path: string): Promise<number | undefined> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    // Gone, or not written yet: in both cases nobody is known to hold it.
    if (error instanceof SyntaxError || hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to someone else.
    return !hasCode(error, "ESRCH");
  }
}
