import { AGENT_NAMES } from "../../model/agent-name.ts";
import type { Declaring } from "../build-program.ts";
import type { RunFlags } from "../commands/run.ts";
import { decimalNumber, oneOf, wholeNumber } from "../parse-options.ts";

/** Also of `apply` and `daemon`. */
export const LOG_JSON = "log to this file for machines: a JSON object a line, with ids and counts";

const KINDS = ["semantic", "procedural", "episodic"] as const;

export function declareRunCommands({ program, perform }: Declaring): void {
  program
    .command("run")
    .description("run the pipeline: decay, cluster, merge, promote, relations")
    .option("--dry-run", "show what would be done and write nothing")
    .option(
      "--agent <agent>",
      `one agent alone: ${AGENT_NAMES.join(", ")}`,
      oneOf("--agent", AGENT_NAMES),
    )
    .option("--scheduled", "do nothing until the interval since the last completed run has passed")
    .option(
      "--interval-hours <n>",
      "the interval of --scheduled (default 1)",
      decimalNumber("--interval-hours", { min: 0 }),
    )
    .option("--force", "with --scheduled: run whether or not it is due")
    .option("--limit <n>", "at most so many items an agent", wholeNumber("--limit", { min: 1 }))
    .option(
      "--rate-limit <n>",
      "calls a minute that leave the process, per agent (default 60)",
      wholeNumber("--rate-limit", { min: 1 }),
    )
    .option(
      "--throttle <n>",
      "items a minute, per agent (default: no limit)",
      wholeNumber("--throttle", { min: 1 }),
    )
    .option("--no-llm", "use no language model, also where one is configured")
    .option("--full", "compute anew what earlier runs have kept; finds the same, and takes longer")
    .option("--log-json <file>", LOG_JSON)
    .option("--tag <tag>", "only memories with this tag")
    .option("--kind <kind>", `only this kind: ${KINDS.join(", ")}`, oneOf("--kind", KINDS))
    .option("--since <time>", "only memories created at or after")
    .action((flags: RunFlags) =>
      perform(async (context) => (await import("../commands/run.ts")).run(context, flags)),
    );

  const runs = program
    .command("runs")
    .description("list the runs, newest first")
    .option("--limit <n>", "how many at most", wholeNumber("--limit", { min: 1 }))
    .action((flags: { readonly limit?: number }) =>
      perform(async (context) => (await import("../commands/runs.ts")).listRuns(context, flags)),
    );
  runs
    .command("show")
    .description("one run: what was done, by which agent, why")
    .argument("<id>", "its id")
    .action((id: string) =>
      perform(async (context) => (await import("../commands/runs.ts")).showRun(context, id)),
    );
}
