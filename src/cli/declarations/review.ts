import type { Command } from "commander";
import { AGENT_NAMES } from "../../model/agent-name.ts";
import type { Declaring } from "../build-program.ts";
import type { ReviewFlags } from "../commands/review.ts";
import type { DecideFlags } from "../commands/review-decide.ts";
import { oneOf, wholeNumber } from "../parse-options.ts";

const URGENCIES = ["high", "medium", "low"] as const;

export function declareReviewCommands({ program, perform }: Declaring): void {
  const review = program
    .command("review")
    .description("walk through what waits for you: approve, reject, skip")
    .option("--agent <agent>", AGENT_NAMES.join(", "), oneOf("--agent", AGENT_NAMES))
    .option("--urgency <urgency>", URGENCIES.join(", "), oneOf("--urgency", URGENCIES))
    .option("--limit <n>", "how many at most", wholeNumber("--limit", { min: 1 }))
    .option("--by <name>", "who decides (default: you)")
    .option("--now", "carry out at once what is approved, instead of in the next run")
    .addHelpText("after", `\n${KEYS}`)
    .action((flags: ReviewFlags) =>
      perform(async (context) => (await import("../commands/review.ts")).review(context, flags)),
    );
  declareVerdict({ review, perform, kind: "approve" });
  declareVerdict({ review, perform, kind: "reject" });
}

const KEYS = `Keys:
  a  approve: the next run carries it out
  r  reject, with a reason: not proposed again until one of its memories changes
  s  skip: it goes on waiting
  q  quit; what was decided is kept`;

const DESCRIPTIONS = {
  approve: "let the next run carry these findings out",
  reject: "decline these findings",
} as const;

/** `--by` and `--now` are the parent's: commander takes them wherever they stand. */
function declareVerdict({
  review,
  perform,
  kind,
}: {
  readonly review: Command;
  readonly perform: Declaring["perform"];
  readonly kind: "approve" | "reject";
}): void {
  review
    .command(kind)
    .description(DESCRIPTIONS[kind])
    .argument("<ids...>", "their ids")
    .option("--reason <text>", "why")
    .action((ids: readonly string[], _flags: object, command: Command) =>
      perform(async (context) => {
        const flags = command.optsWithGlobals<DecideFlags>();
        const { decideIssues } = await import("../commands/review-decide.ts");
        return await decideIssues(context, { ids, kind, flags });
      }),
    );
}
