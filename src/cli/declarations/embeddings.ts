import type { Declaring } from "../build-program.ts";
import type { ReembedFlags } from "../commands/reembed.ts";

export function declareEmbeddingCommands({ program, perform }: Declaring): void {
  program
    .command("reembed")
    .description(
      "compute the vectors anew that another embedding model made; goes on where it was interrupted",
    )
    .option("--dry-run", "count them, and write nothing")
    .action((flags: ReembedFlags) =>
      perform(async (context) => (await import("../commands/reembed.ts")).reembed(context, flags)),
    );
}
