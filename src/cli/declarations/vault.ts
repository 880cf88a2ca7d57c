import type { Declaring } from "../build-program.ts";
import type { SyncFlags } from "../commands/vault.ts";

export function declareVaultCommands({ program, perform }: Declaring): void {
  const vault = program.command("vault").description("work with the notes of the vault");
  vault
    .command("sync")
    .description("take over what people did in the vault, and bring the notes up to date")
    .option("--dry-run", "show what would be done and write nothing")
    .option("--accept-deletions", "take missing notes for deleted, however many they are")
    .action((flags: SyncFlags) =>
      perform(async (context) => (await import("../commands/vault.ts")).syncNotes(context, flags)),
    );
  vault
    .command("check")
    .description("look at every note and its links; exit 1 where something is wrong")
    .action(() =>
      perform(async (context) => (await import("../commands/vault.ts")).checkNotes(context)),
    );
  vault
    .command("rebuild")
    .description("write all notes anew into an empty folder")
    .requiredOption("--out <dir>", "the folder; made where it is not there")
    .action((flags: { readonly out: string }) =>
      perform(async (context) => (await import("../commands/vault.ts")).rebuild(context, flags)),
    );
}
