import type { Declaring } from "../build-program.ts";
import type { CalibrateFlags } from "../commands/calibrate.ts";
import type { ReembedFlags } from "../commands/reembed.ts";
import { listOf } from "../parse-options.ts";

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

  program
    .command("calibrate")
    .description("fit the similarity profile of the configured embedding model to labelled pairs")
    .option(
      "--labels <files>",
      "JSONL of {a, b, label}: duplicate, related, contradiction or unrelated",
      listOf,
    )
    .option("--reviews", "what people decided in closed and approved issues, as labels")
    .option("--write", "keep the profile for the runs to come; without it nothing is written")
    .action((flags: CalibrateFlags) =>
      perform(async (context) =>
        (await import("../commands/calibrate.ts")).calibrate(context, flags),
      ),
    );
}
