import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

const BIN = path.resolve(import.meta.dirname, "../../bin/slowwave.js");

export interface SpawnResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  json(): Record<string, unknown>;
}

export interface SpawnCliOptions {
  readonly home: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Called once the process has started. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** A new folder, removed after the test; the built command line runs in it and takes it for SLOWWAVE_HOME. */
export async function createHome(): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), "slowwave-e2e-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

/** Runs `node bin/slowwave.js` as a process of its own. */
export async function spawnCli(
  { home, stdin, env, onStart }: SpawnCliOptions,
  ...argv: readonly string[]
): Promise<SpawnResult> {
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, SLOWWAVE_HOME: home, USER: "ada", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  // A command that refuses its flags does not read what is piped to it.
  child.stdin.on("error", () => undefined);
  if (onStart) onStart(child);
  else child.stdin.end(stdin ?? "");
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const stdout = Buffer.concat(out).toString();
  return { code, stdout, stderr: Buffer.concat(err).toString(), json: () => JSON.parse(stdout) };
}
