import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Memory } from "../../../src/model/memory.ts";

const WORKER = join(import.meta.dirname, "commit-worker.ts");

export interface WorkerProcess {
  readonly process: ChildProcess;
  /** Names of the batches that the store has confirmed so far. */
  readonly confirmed: readonly string[];
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** Starts `commit-worker.ts` in a process of its own, which ends with the test at the latest. */
export function startWorker(...args: readonly (string | number)[]): WorkerProcess {
  return startWorkerIn({}, ...args);
}

/** The same with more variables in its environment. */
export function startWorkerIn(
  env: Readonly<Record<string, string>>,
  ...args: readonly (string | number)[]
): WorkerProcess {
  const child = spawn(process.execPath, ["--import", "tsx", WORKER, ...args.map(String)], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const confirmed: string[] = [];
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    confirmed.push(...lines);
  });
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  return { process: child, confirmed, ended };
}

/** Batches of which only one half is there; a store must never show any. */
export function halfBatches(memories: readonly Memory[]): readonly string[] {
  const ids = new Set(memories.map(({ id }) => id));
  return [...ids].filter((id) => {
    const twin = id.endsWith("-a") ? id.replace(/a$/, "b") : id.replace(/b$/, "a");
    return !ids.has(twin);
  });
}
