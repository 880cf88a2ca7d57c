import { readFileSync } from "node:fs";
import { Command } from "commander";
import { packagePath } from "../model/package-path.ts";
import type { CommandContext, CommandResult, GlobalOptions } from "./command-context.ts";
import { declareEmbeddingCommands } from "./declarations/embeddings.ts";
import { declareIssueCommands } from "./declarations/issues.ts";
import { declareMemoryCommands } from "./declarations/memories.ts";
import { declareReversingCommands } from "./declarations/reversing.ts";
import { declareReviewCommands } from "./declarations/review.ts";
import { declareRunCommands } from "./declarations/runs.ts";
import { declareScheduleCommands } from "./declarations/schedule.ts";
import { declareSetupCommands } from "./declarations/setup.ts";
import { declareTransferCommands } from "./declarations/transfer.ts";
import { declareVaultCommands } from "./declarations/vault.ts";
import type { Io } from "./io.ts";

type Work = (context: CommandContext) => Promise<CommandResult>;

/** What a declaration needs: where to hang its commands, and how its work is done. The work imports its command when it is run. */
export interface Declaring {
  readonly program: Command;
  perform(work: Work): Promise<void>;
}

/** The whole command line, declared; nothing a command works with is loaded for that. */
export function buildProgram(
  io: Io,
  run: (globals: GlobalOptions, work: Work) => Promise<void>,
): Command {
  const program = new Command("slowwave")
    .description(
      "Nightly consolidation for the memories of AI agents: decay, cluster, merge, promote, relate.",
    )
    .version(readVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .option("--store <uri>", "folder or URI of the store")
    .option("--vault <dir>", "folder of the Obsidian vault")
    .option("--namespace <name>", "work in this namespace alone")
    .option("--config <file>", "configuration file (.yaml or .json)")
    .option("--as-of <time>", "take this as the present moment, for example 2026-04-13T03:00:00Z")
    .option("--json", "print one JSON document")
    .option("--quiet", "no progress; nothing at all when nothing is due")
    .option("--debug", "print stacks of errors")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // Errors are thrown, and reported in one place.
      outputError: () => undefined,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    })
    .exitOverride();
  const declaring: Declaring = {
    program,
    perform: (work) => run(program.opts<GlobalOptions>(), work),
  };
  declareSetupCommands(declaring);
  declareMemoryCommands(declaring);
  declareTransferCommands(declaring);
  declareRunCommands(declaring);
  declareReversingCommands(declaring);
  declareScheduleCommands(declaring);
  declareReviewCommands(declaring);
  declareIssueCommands(declaring);
  declareVaultCommands(declaring);
  declareEmbeddingCommands(declaring);
  program.addHelpText("after", `\n${EXIT_CODES}`);
  return program;
}

const EXIT_CODES = `Exit codes:
  0    done, or nothing was due
  1    something failed or was left out; the output says what
  2    usage or configuration
  3    another run holds the lease
  130  interrupted`;

function readVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(packagePath("package.json"), "utf8"));
  const hasVersion = typeof parsed === "object" && parsed !== null && "version" in parsed;
  return hasVersion ? String(parsed.version) : "unknown";
}
