import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { SlowwaveError } from "../model/errors.ts";
import { toIso } from "../model/instant.ts";
import type { RunReport } from "../model/run-report.ts";
import type { CommandContext } from "./command-context.ts";
import { reportEvents } from "./reporters/run-events.ts";
import { configOf } from "./with-parts.ts";

/** As of the log of a scheduled job: put aside as `.1` when it has grown so far. */
const LOG_BYTES = 1_048_576;

export interface RunLog {
  report(report: RunReport): Promise<void>;
  /** Nothing was due. */
  skip(): Promise<void>;
}

/**
 * Works with a log for machines, one JSON object a line, where a flag or the configuration names a file: what was done to which ids, never
 * a word of a memory. The first line is written before the work, so that a log that cannot be written stops it there.
 * @throws SlowwaveError `input` where the file cannot be written
 */
export async function withRunLog<T>(
  context: CommandContext,
  { command, file }: { readonly command: string; readonly file: string | undefined },
  work: (log: RunLog) => Promise<T>,
): Promise<T> {
  const target =
    file === undefined ? (await configOf(context)).log.file : path.resolve(context.io.cwd, file);
  if (target === undefined) return await work(NO_LOG);
  const { createNodeSystem } = await import("../wire.ts");
  const system = createNodeSystem();
  const write = (events: readonly object[]): Promise<void> => {
    const at = toIso(system.wallNow());
    return append(target, events.map((event) => `${JSON.stringify({ at, ...event })}\n`).join(""));
  };
  await rotate(target);
  await write([{ level: "info", event: "start", command, pid: context.io.pid }]);
  try {
    return await work({
      report: async (report) => await write(reportEvents(report)),
      skip: async () => await write([{ level: "info", event: "skip", command }]),
    });
  } catch (error) {
    const code = error instanceof SlowwaveError ? error.code : "internal";
    await write([{ level: "error", event: "error", command, code }]);
    throw error;
  }
}

const NO_LOG: RunLog = { report: async () => undefined, skip: async () => undefined };

async function append(file: string, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await appendFile(file, text, { mode: 0o600 });
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

async function rotate(file: string): Promise<void> {
  try {
    if ((await stat(file)).size > LOG_BYTES) await rename(file, `${file}.1`);
  } catch (cause) {
    // Not there yet, or put aside by another run in the same moment.
    const isGone = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    if (!isGone) throw unwritable(file, cause);
  }
}

function unwritable(file: string, cause: unknown): SlowwaveError {
  return new SlowwaveError("input", `${file}: the log cannot be written`, {
    cause,
    hint: "Check that the folder can be written and has space, or name another file.",
  });
}
