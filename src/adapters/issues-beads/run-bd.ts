import { spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SlowwaveError } from "../../model/errors.ts";

export interface BdCommand {
  readonly args: readonly string[];
  /** Given on standard input, which is closed after it. */
  readonly input?: string;
  /** Who acts. @default the session */
  readonly actor?: string;
  /** @default 60,000 */
  readonly timeoutMs?: number;
}

export type BdAnswer =
  | { readonly ok: true; readonly stdout: string }
  /** bd refused, in its own words. */
  | { readonly ok: false; readonly message: string };

export interface BdOptions {
  /** A name to be found on the PATH, or a path. */
  readonly command: string;
  /** The `.beads` folder, absolute. */
  readonly folder: string;
  /** Unlike any other process's: beads lets the same actor claim twice. */
  readonly actor: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For every command. @default a minute, five for what reads or writes many issues */
  readonly timeoutMs?: number;
  /** Waits until one more command may leave the process. */
  readonly pace?: () => Promise<void>;
}

const TIMEOUT_MS = 60_000;
/** After the polite signal. */
const GRACE_MS = 5_000;
const TRIES = 3;

/** What others' commands and a server that restarts cause; the same command goes through a moment later. */
const TRANSIENT =
  /error 1205|error 1213|database is locked|exclusive lock|circuit breaker is open|connection refused/i;

export const INSTALL_HINT =
  "Install beads 1.0.4 or newer (https://github.com/steveyegge/beads), or name its command as `tracker.command`; `tracker.kind: embedded` needs neither.";

/**
 * One command of beads, tried again where the failure is a passing one: all that slowwave sends can be sent twice.
 * @throws SlowwaveError `tracker` where there is no such command, or it does not answer in time.
 */
export async function runBd(command: BdCommand, options: BdOptions): Promise<BdAnswer> {
  for (let tried = 1; ; tried += 1) {
    await options.pace?.();
    // One after the other: the next try is for the failure of the one before.
    const answer = await spawnBd(command, options);
    if (answer.ok || tried === TRIES || !TRANSIENT.test(answer.message)) return answer;
    await wait(200 * 2 ** tried * (0.5 + Math.random()));
  }
}

async function spawnBd(command: BdCommand, options: BdOptions): Promise<BdAnswer> {
  const { args, input = "", actor = options.actor } = command;
  const timeoutMs = options.timeoutMs ?? command.timeoutMs ?? TIMEOUT_MS;
  const child = spawn(options.command, ["--json", "--actor", actor, ...args], {
    cwd: path.dirname(options.folder),
    env: environment(options),
    stdio: "pipe",
    // A group of its own: what it starts ends with it, and Ctrl-C does not stop it half-way.
    detached: process.platform !== "win32",
  });
  let isLate = false;
  const polite = setTimeout(() => {
    isLate = true;
    endGroup(child, "SIGTERM");
  }, timeoutMs);
  const final = setTimeout(() => endGroup(child, "SIGKILL"), timeoutMs + GRACE_MS);
  try {
    const result = await outcomeOf(child, input);
    if (isLate) throw tooLate(command, timeoutMs);
    if (result.exitCode === 0) return { ok: true, stdout: result.stdout };
    return { ok: false, message: reasonIn(result) };
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      throw notThere(options.command, cause);
    }
    throw cause;
  } finally {
    clearTimeout(polite);
    clearTimeout(final);
  }
}

function endGroup(child: ReturnType<typeof spawn>, signal: NodeJS.Signals): void {
  if (child.pid === undefined || process.platform === "win32") {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // It ended in this moment.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function outcomeOf(
  child: ReturnType<typeof spawn> & { readonly stdin: NodeJS.WritableStream | null },
  input: string,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (exitCode) => {
      const [stdout, stderr] = [Buffer.concat(out).toString(), Buffer.concat(err).toString()];
      resolve({ exitCode, stdout, stderr });
    });
    // A command that fails early does not read its input; its exit code says so.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

/** Another database, another form of output or another reader in mind: what would change the answer, or where it comes from. */
const DROPPED = [
  "BEADS_DB",
  "BD_DB",
  "BD_BACKEND",
  "BD_DATABASE_BACKEND",
  "BD_ACTOR",
  "BD_AGENT_MODE",
  "BD_JSON",
  "BD_READONLY",
  "CLAUDE_CODE",
];

function environment({ env, folder }: BdOptions): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !DROPPED.includes(entry[0]),
  );
  return {
    ...Object.fromEntries(kept),
    BEADS_DIR: folder,
    BD_JSON_ENVELOPE: "1",
    BD_NON_INTERACTIVE: "1",
    BD_NO_PAGER: "1",
    NO_COLOR: "1",
    BD_DISABLE_METRICS: "1",
    DO_NOT_TRACK: "1",
  };
}

/** Errors come as JSON on either stream, or as text among warnings. */
function reasonIn({ stdout, stderr }: Outcome): string {
  const told = [stdout, stderr].flatMap((stream) => errorIn(stream) ?? []);
  const [line] = stderr.split("\n").filter((text) => /^error\b/i.test(text));
  const said = told[0] ?? line ?? (stderr.trim() || stdout.trim());
  return said === "" ? "it failed without a word" : said.slice(0, 300);
}

function errorIn(stream: string): string | undefined {
  const start = stream.indexOf("{");
  if (start < 0) return undefined;
  try {
    const parsed: unknown = JSON.parse(stream.slice(start));
    const data = unwrap(parsed);
    if (typeof data === "object" && data !== null && "error" in data) return String(data.error);
    return undefined;
  } catch (error) {
    // A brace in a sentence.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Newer versions put every answer into an envelope, older ones only where asked. */
export function unwrap(parsed: unknown): unknown {
  if (typeof parsed !== "object" || parsed === null || !("data" in parsed)) return parsed;
  return parsed.data;
}

function notThere(command: string, cause: Error): SlowwaveError {
  return new SlowwaveError(
    "tracker",
    `issues are kept in beads, and there is no command ${JSON.stringify(command)}`,
    { hint: INSTALL_HINT, cause },
  );
}

function tooLate({ args }: BdCommand, timeoutMs: number): SlowwaveError {
  return new SlowwaveError(
    "tracker",
    `bd ${args[0]} did not answer within ${timeoutMs / 1000} seconds`,
    {
      hint: "Another bd may hold the database; `bd ping` tells. What was not written is sent by the next run.",
    },
  );
}
