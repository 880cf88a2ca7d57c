import { CommanderError } from "commander";
import { SlowwaveError } from "../model/errors.ts";
import { buildProgram } from "./build-program.ts";
import type { CommandContext, CommandResult, ExitCode, OpenParts } from "./command-context.ts";
import type { Io, StopSignal } from "./io.ts";
import { createPaint } from "./paint.ts";
import { processIo } from "./process-io.ts";
import { errorDocument, errorText, exitCodeOf } from "./reporters/report-error.ts";

/** What a test may put in the place of the real adapters. */
export interface Services {
  readonly openParts: OpenParts;
}

/** Loaded when a command opens a store: help and version need neither adapters nor LanceDB. */
const REAL_SERVICES: Services = {
  openParts: async (options) => (await import("../wire.ts")).openParts(options),
};

/**
 * Runs one command line and returns the exit code; it never exits and never throws. Results go to stdout, everything else to stderr;
 * with `--json` stdout gets exactly one document, for an error too.
 */
export async function main(
  argv: readonly string[],
  io: Io = processIo(),
  services: Services = REAL_SERVICES,
): Promise<ExitCode> {
  const controller = new AbortController();
  const stopListening = io.onStopSignal((signal) => controller.abort(stoppedBy(signal)));
  try {
    return await runCommandLine(argv, { io, services, signal: controller.signal });
  } catch (error) {
    return reportFailure(error, argv, io);
  } finally {
    stopListening();
  }
}

interface Surroundings {
  readonly io: Io;
  readonly services: Services;
  readonly signal: AbortSignal;
}

async function runCommandLine(
  argv: readonly string[],
  { io, services, signal }: Surroundings,
): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = buildProgram(io, async (globals, work) => {
    const context: CommandContext = { io, globals, signal, openParts: services.openParts };
    const result = await work(context);
    printResult(result, context);
    exitCode = result.exitCode ?? 0;
  });
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    // Help shown because no command was named: it is on stderr by now.
    if (error.code === "commander.help") return 2;
    throw usageError(error);
  }
}

function printResult(result: CommandResult, { io, globals }: CommandContext): void {
  if (globals.json) {
    io.stdout.write(`${JSON.stringify({ version: 1, ...result.document }, null, 2)}\n`);
    return;
  }
  if (globals.quiet && result.isIdle) return;
  const text = result.text(createPaint(io));
  if (text !== "") io.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** Where parsing itself failed there are no parsed flags, so the words are looked at. */
function reportFailure(error: unknown, argv: readonly string[], io: Io): ExitCode {
  const flags = argv.slice(0, argv.includes("--") ? argv.indexOf("--") : undefined);
  const debug = flags.includes("--debug");
  if (flags.includes("--json")) {
    io.stdout.write(`${JSON.stringify({ version: 1, ...errorDocument(error) }, null, 2)}\n`);
    if (debug) io.stderr.write(`${errorText(error, { debug })}\n`);
  } else {
    io.stderr.write(`${errorText(error, { debug })}\n`);
  }
  return exitCodeOf(error);
}

/** commander writes `error: unknown option '--limt'\n(Did you mean --limit?)`. */
function usageError(error: CommanderError): SlowwaveError {
  const [first = "", second] = error.message.replace(/^error: /, "").split("\n");
  const hint = second?.replace(/^\((.*)\)$/, "$1") ?? "`slowwave --help` lists commands and flags.";
  return new SlowwaveError("usage", first, { hint });
}

function stoppedBy(signal: StopSignal): SlowwaveError {
  return new SlowwaveError("interrupted", `stopped by ${signal}`);
}
