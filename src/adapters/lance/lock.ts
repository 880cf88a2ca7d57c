import { randomUUID } from "node:crypto";
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { SlowwaveError } from "../../model/errors.ts";
import { hasCode } from "./file-errors.ts";

/**
 * Makes writers take turns: within a process by a queue, between processes of a machine by a lock file. For commits it only saves retries:
 * the fence is what keeps them apart, so a lock that cannot be had in time does no harm. Work that no fence protects, the opening of a
 * store, asks for `runAlone`.
 */
export interface StoreLock {
  /** Waits for its turn as long as the lock was made to, then goes ahead without it. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** @throws SlowwaveError `busy` where others keep the lock for minutes */
  runAlone<T>(work: () => Promise<T>): Promise<T>;
}

/** `path` absent: a store that is not a local folder has the queue alone. */
export function createLock(path: string | undefined, waitMs: number): StoreLock {
  let tail: Promise<unknown> = Promise.resolve();
  const queue = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = tail.then(work);
    // Whoever asked learns of the failure; the next in the queue must not.
    tail = turn.catch(() => undefined);
    return turn;
  };
  return {
    run: (work) =>
      queue(() => (path === undefined ? work() : withFile({ path, waitMs, alone: false }, work))),
    runAlone: (work) =>
      queue(() =>
        path === undefined ? work() : withFile({ path, waitMs: ALONE_WAIT_MS, alone: true }, work),
      ),
  };
}

/** Longer than reading a store of a million memories, which is what an opening after a power cut may have to do. */
const ALONE_WAIT_MS = 300_000;
const TOUCH_EVERY_MS = 10_000;
/** Not touched for as long: whoever holds it was stopped, or its process id is someone else's by now. */
const STALE_AFTER_MS = 60_000;
/** Between making the file and filling it. */
const UNWRITTEN_AFTER_MS = 2_000;

interface Turn {
  readonly path: string;
  readonly waitMs: number;
  readonly alone: boolean;
}

async function withFile<T>({ path, waitMs, alone }: Turn, work: () => Promise<T>): Promise<T> {
  const token = randomUUID();
  const isHeld = await acquire(path, token, waitMs);
  if (!isHeld && alone) {
    throw new SlowwaveError("busy", `another process keeps the store's lock ${path}`, {
      hint: "Wait until it is done, or end it.",
    });
  }
  const touching = isHeld ? setInterval(() => void touch(path), TOUCH_EVERY_MS).unref() : undefined;
  try {
    return await work();
  } finally {
    clearInterval(touching);
    if (isHeld) await release(path, token);
  }
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  // A lock that was taken away meanwhile needs no touch, and a touch that fails only makes it look older.
  await utimes(path, now, now).catch(() => undefined);
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
