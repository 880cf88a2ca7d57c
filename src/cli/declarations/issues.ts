import type { Command } from "commander";
import { AGENT_NAMES } from "../../model/agent-name.ts";
import type { Declaring } from "../build-program.ts";
import type { IssueListFlags } from "../commands/issues-list.ts";
import type { IssueStepFlags } from "../commands/issues-steps.ts";
import { decimalNumber, listOf, oneOf, someOf, wholeNumber } from "../parse-options.ts";

const STATUSES = ["open", "in_progress", "blocked", "closed", "all"] as const;
const URGENCIES = ["high", "medium", "low"] as const;

export function declareIssueCommands({ program, perform }: Declaring): void {
  const issues = program.command("issues").description("decide what waits for a person");

  issues
    .command("list")
    .description("list issues, most urgent first; without --status, those that are not closed")
    .option("--status <statuses>", STATUSES.join(", "), someOf("--status", STATUSES))
    .option("--label <labels>", "with all of these labels", listOf)
    .option("--agent <agent>", AGENT_NAMES.join(", "), oneOf("--agent", AGENT_NAMES))
    .option("--urgency <urgency>", URGENCIES.join(", "), oneOf("--urgency", URGENCIES))
    .option("--limit <n>", "how many at most", wholeNumber("--limit", { min: 1 }))
    .action((flags: IssueListFlags) =>
      perform(async (context) =>
        (await import("../commands/issues-list.ts")).listIssues(context, flags),
      ),
    );

  issues
    .command("show")
    .description("one issue with the memories it speaks of")
    .argument("<id>", "its id")
    .action((id: string) =>
      perform(async (context) =>
        (await import("../commands/issues-list.ts")).showIssue(context, id),
      ),
    );

  declareSteps(issues, perform);
  declareTransfer(issues, perform);
}

function declareTransfer(issues: Command, perform: Declaring["perform"]): void {
  issues
    .command("export")
    .description("write every issue as JSON lines that `bd import` reads")
    .option("--out <file>", "file to write; standard output where not given")
    .action((flags: { readonly out?: string }) =>
      perform(async (context) =>
        (await import("../commands/issues-transfer.ts")).exportIssues(context, flags),
      ),
    );

  issues
    .command("import")
    .description("read issues back, with what was changed in beads since (`bd export --all`)")
    .argument("<file>", "JSON lines, or - for standard input")
    .action((file: string) =>
      perform(async (context) =>
        (await import("../commands/issues-transfer.ts")).importIssues(context, file),
      ),
    );
}

function declareSteps(issues: Command, perform: Declaring["perform"]): void {
  issues
    .command("claim")
    .description("take an issue; of several who try, one gets it")
    .argument("<id>", "its id")
    .option("--by <name>", "who takes it (default: you)")
    .option(
      "--lease-hours <n>",
      "after so long others may take it over (default 24)",
      decimalNumber("--lease-hours", { min: 0.01 }),
    )
    .action((id: string, flags: IssueStepFlags) =>
      perform(async (context) =>
        (await import("../commands/issues-steps.ts")).claimIssue(context, id, flags),
      ),
    );

  issues
    .command("close")
    .description("close an issue; without an approval the finding counts as declined")
    .argument("<id>", "its id")
    .option("--reason <text>", "why")
    .option("--by <name>", "who closes it (default: you)")
    .action((id: string, flags: IssueStepFlags) =>
      perform(async (context) =>
        (await import("../commands/issues-steps.ts")).closeIssue(context, id, flags),
      ),
    );

  issues
    .command("approve")
    .description("let the next run carry the finding out")
    .argument("<id>", "its id")
    .option("--by <name>", "who approves (default: you)")
    .action((id: string, flags: IssueStepFlags) =>
      perform(async (context) =>
        (await import("../commands/issues-steps.ts")).approveIssue(context, id, flags),
      ),
    );

  issues
    .command("reopen")
    .description("open an issue again that is closed, blocked or taken")
    .argument("<id>", "its id")
    .option("--reason <text>", "why")
    .option("--by <name>", "who reopens it (default: you)")
    .action((id: string, flags: IssueStepFlags) =>
      perform(async (context) =>
        (await import("../commands/issues-steps.ts")).reopenIssue(context, id, flags),
      ),
    );
}
