import type { Declaring } from "../build-program.ts";
import type { CompareFlags } from "../commands/compare.ts";
import type { EditFlags } from "../commands/edit.ts";
import type { ForgetFlags } from "../commands/forget.ts";
import type { ListFlags } from "../commands/list.ts";
import type { RecallFlags } from "../commands/recall.ts";
import type { RememberFlags } from "../commands/remember.ts";
import { decimalNumber, listOf, oneOf, someOf, wholeNumber } from "../parse-options.ts";

// As in the model, which is not loaded for help.
const KINDS = ["semantic", "procedural", "episodic"] as const;
const STATUSES = ["active", "promoted", "archived"] as const;

export function declareMemoryCommands(declaring: Declaring): void {
  declareRemember(declaring);
  declareFinding(declaring);
  declareEdit(declaring);
  declareSteps(declaring);
  declareCompare(declaring);
}

function declareCompare({ program, perform }: Declaring): void {
  program
    .command("compare")
    .description("say what a run would make of two texts, and why; needs no store")
    .argument("<a>", "a text")
    .argument("<b>", "another text")
    .option("--ids", "the two are ids of memories in the store")
    .action((a: string, b: string, flags: CompareFlags) =>
      perform(async (context) =>
        (await import("../commands/compare.ts")).compare(context, [a, b], flags),
      ),
    );
}

function declareRemember({ program, perform }: Declaring): void {
  program
    .command("remember")
    .description("store a memory; a text that is known already is reinforced instead")
    .argument("<text...>", "the text, or - for standard input")
    .option("--tag <tags>", "tags, separated by commas or given one by one", listOf)
    .option("--entity <names>", "entities; found in the text where not given", listOf)
    .option("--kind <kind>", KINDS.join(", "), oneOf("--kind", KINDS))
    .option("--source <source>", "where it comes from")
    .option("--context <context>", "what it was about")
    .option(
      "--strength <n>",
      "0 to 2, 1 is neutral",
      decimalNumber("--strength", { min: 0, max: 2 }),
    )
    .action((words: string[], flags: RememberFlags) =>
      perform(async (context) =>
        (await import("../commands/remember.ts")).rememberText(context, words, flags),
      ),
    );
}

function declareFinding({ program, perform }: Declaring): void {
  program
    .command("recall")
    .description("find memories, nearest first, and record the use")
    .argument("<query...>", "what to look for")
    .option("--limit <n>", "how many at most (default 10)", wholeNumber("--limit", { min: 1 }))
    .option("--no-touch", "look without recording a use")
    .action((words: string[], flags: RecallFlags) =>
      perform(async (context) =>
        (await import("../commands/recall.ts")).recallMemories(context, words, flags),
      ),
    );

  program
    .command("list")
    .description("list memories, newest first")
    .option("--all", "archived ones too")
    .option("--status <statuses>", STATUSES.join(", "), someOf("--status", STATUSES))
    .option("--kind <kind>", KINDS.join(", "), oneOf("--kind", KINDS))
    .option("--tag <tag>", "with this tag")
    .option("--since <time>", "created at or after")
    .option("--limit <n>", "how many at most", wholeNumber("--limit", { min: 1 }))
    .option("--offset <n>", "leave out so many first", wholeNumber("--offset", { min: 0 }))
    .action((flags: ListFlags) =>
      perform(async (context) => (await import("../commands/list.ts")).list(context, flags)),
    );

  program
    .command("show")
    .description(
      "one memory with its relations and issues, or one issue; of a group that waits, why it is one",
    )
    .argument("<id>", "id of a memory or an issue")
    .action((id: string) =>
      perform(async (context) => (await import("../commands/show.ts")).show(context, id)),
    );
}

function declareEdit({ program, perform }: Declaring): void {
  program
    .command("edit")
    .description("change a memory")
    .argument("<id>", "its id")
    .option("--content <text>", "the new text, or - for standard input")
    .option("--tag <tags>", "these tags instead of the present ones", listOf)
    .option("--add-tag <tags>", "tags to add", listOf)
    .option("--remove-tag <tags>", "tags to take away", listOf)
    .option("--entity <names>", "these entities instead of the present ones", listOf)
    .option("--kind <kind>", KINDS.join(", "), oneOf("--kind", KINDS))
    .option("--source <source>", "where it comes from")
    .option("--context <context>", "what it was about")
    .option(
      "--strength <n>",
      "0 to 2, 1 is neutral",
      decimalNumber("--strength", { min: 0, max: 2 }),
    )
    .action((id: string, flags: EditFlags) =>
      perform(async (context) =>
        (await import("../commands/edit.ts")).editById(context, id, flags),
      ),
    );
}

function declareSteps({ program, perform }: Declaring): void {
  program
    .command("touch")
    .description("count one use of a memory")
    .argument("<id>", "its id")
    .action((id: string) =>
      perform(async (context) => (await import("../commands/touch.ts")).touchById(context, id)),
    );

  program
    .command("pin")
    .description("keep a memory from being archived or merged away by a run")
    .argument("<id>", "its id")
    .option("--off", "let runs have it again")
    .action((id: string, flags: { readonly off?: true }) =>
      perform(async (context) => (await import("../commands/pin.ts")).pinById(context, id, flags)),
    );

  program
    .command("promote")
    .description("write a memory as a note now, whatever its age and use")
    .argument("<id>", "its id")
    .requiredOption("--force", "say that age and use do not matter; runs promote by themselves")
    .action((id: string) =>
      perform(async (context) => (await import("../commands/promote.ts")).promoteById(context, id)),
    );

  program
    .command("restore")
    .description("make an archived memory live again")
    .argument("<id>", "its id")
    .action((id: string) =>
      perform(async (context) => (await import("../commands/restore.ts")).restoreById(context, id)),
    );

  declareForget({ program, perform });
}

function declareForget({ program, perform }: Declaring): void {
  program
    .command("forget")
    .description("archive a memory; restore brings it back. --purge removes it for good")
    .argument("<id>", "its id")
    .option("--purge", "show what would be removed for good, everywhere it is quoted")
    .option("--dry-run", "with --purge: only show, as without --yes")
    .option("--yes", "with --purge: remove it")
    .addHelpText("after", PURGE_HELP)
    .action((id: string, flags: ForgetFlags) =>
      perform(async (context) =>
        (await import("../commands/forget.ts")).forgetById(context, id, flags),
      ),
    );
}

const PURGE_HELP = `
A purge is for a secret, or a person's wish: the memory goes from the store and its older versions, from what is kept of earlier runs,
from issues, notes and caches, and merged memories are made again without it. Of a merged memory, all it was made of goes. Runs that
touched it can then no longer be undone in that. It says what still holds its words: git's history, or other memories.
Backups, exports and plans that you keep elsewhere are not looked for.`;
