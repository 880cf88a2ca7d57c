import { AGENT_NAMES } from "../../model/agent-name.ts";
import type { Declaring } from "../build-program.ts";
import type { PlanFlags } from "../commands/plan.ts";
import { listOf, oneOf, wholeNumber } from "../parse-options.ts";
import { LOG_JSON } from "./runs.ts";

// As in the model, which is not loaded for help.
const KINDS = ["semantic", "procedural", "episodic"] as const;

/** Commands that look before a run is made, or take one back. */
export function declareReversingCommands(declaring: Declaring): void {
  declarePlan(declaring);
  declareUndo(declaring);
  declareGc(declaring);
  declareBackup(declaring);
}

function declareBackup({ program, perform }: Declaring): void {
  program
    .command("backup")
    .description(
      "write everything the store holds into one file, and check it; the vault is not in it",
    )
    .argument("<file>", "file to write")
    .action((file: string) =>
      perform(async (context) => (await import("../commands/backup.ts")).backup(context, file)),
    );

  program
    .command("restore-backup")
    .description(
      "fill a new store from a backup, and compare; never over a store that holds anything else",
    )
    .argument("<file>", "a file that `slowwave backup` wrote")
    .action((file: string) =>
      perform(async (context) => (await import("../commands/backup.ts")).restore(context, file)),
    );
}

function declareGc({ program, perform }: Declaring): void {
  program
    .command("gc")
    .description("show which archived memories can go for good; runs never delete, only this does")
    .option("--yes", "remove them")
    .addHelpText("after", GC_HELP)
    .action((flags: { readonly yes?: true }) =>
      perform(async (context) => (await import("../commands/gc.ts")).gc(context, flags)),
    );
}

const GC_HELP = `
A memory can go when it was decayed, forgotten, deleted or superseded, was archived for 30 days, is not pinned, and no live memory,
merge or open issue refers to it. Its relations and uses go with it. What was forgotten or deleted can then be imported again.`;

function declarePlan({ program, perform }: Declaring): void {
  program
    .command("plan")
    .description("show what a run would do, and keep it to be applied; writes nothing to the store")
    .option("--out <file>", "file to write the plan to")
    .option(
      "--agent <agent>",
      `one agent alone: ${AGENT_NAMES.join(", ")}`,
      oneOf("--agent", AGENT_NAMES),
    )
    .option("--limit <n>", "at most so many items an agent", wholeNumber("--limit", { min: 1 }))
    .option("--tag <tag>", "only memories with this tag")
    .option("--kind <kind>", `only this kind: ${KINDS.join(", ")}`, oneOf("--kind", KINDS))
    .option("--since <time>", "only memories created at or after")
    .action((flags: PlanFlags) =>
      perform(async (context) => (await import("../commands/plan.ts")).plan(context, flags)),
    );

  program
    .command("apply")
    .description("do what a plan says, to the letter; what has moved since is refused and listed")
    .argument("<file>", "a file that `slowwave plan --out` wrote")
    .option("--only <names>", "ids of proposals, or agents", listOf)
    .option("--log-json <file>", LOG_JSON)
    .action(
      (file: string, flags: { readonly only?: readonly string[]; readonly logJson?: string }) =>
        perform(async (context) =>
          (await import("../commands/apply.ts")).apply(context, file, flags),
        ),
    );
}

function declareUndo({ program, perform }: Declaring): void {
  program
    .command("undo")
    .description(
      "take a run back: memories, relations, issues and notes; an undo can be undone too",
    )
    .argument("<run>", "its id, as `slowwave runs` shows it")
    .option("--dry-run", "show what would be taken back and write nothing")
    .addHelpText("after", UNDO_HELP)
    .action((id: string, flags: { readonly dryRun?: true }) =>
      perform(async (context) => (await import("../commands/undo.ts")).undo(context, id, flags)),
    );
}

const UNDO_HELP = `
Records and notes that someone changed since the run stay as they are and are listed; the exit code is then 1.
What was undone counts as declined: later runs do not do it again until one of its memories changes.`;
