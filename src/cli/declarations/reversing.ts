import type { Declaring } from "../build-program.ts";

/** Commands that look before a run is made, or take one back. */
export function declareReversingCommands({ program, perform }: Declaring): void {
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
