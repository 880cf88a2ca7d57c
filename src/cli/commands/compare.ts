import { findMemory } from "../../api/change-memory.ts";
import { cosine } from "../../similarity/vectors.ts";
import type { Conflict } from "../../text/conflicts/conflict.ts";
import { openJudge } from "../../wire.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { configOf, withParts } from "../with-parts.ts";

export interface CompareFlags {
  readonly ids?: true;
}

/** The cluster agent's own judgement of two texts, in words. */
export async function compare(
  context: CommandContext,
  given: readonly [string, string],
  { ids }: CompareFlags,
): Promise<CommandResult> {
  const config = await configOf(context);
  const [a, b] = ids ? await readContents(context, given) : given;
  const { embedder, judge } = await openJudge(config);
  const [one, other] = await embedder.embed([a, b]);
  const alike = one === undefined || other === undefined ? 0 : cosine(one, other);
  const judgement = judge({ a, b, cosine: alike });
  const { verdict, autoMerge, similarity, conflicts, reason } = judgement;
  return {
    document: { verdict, autoMerge, similarity, conflicts, reason, a, b },
    text: () =>
      [
        `${verdict}${autoMerge ? ", merged without asking" : ""}: ${printable(reason)}`,
        `similarity ${similarity.toFixed(2)}`,
        ...conflicts.map(conflictLine),
      ].join("\n"),
  };
}

async function readContents(
  context: CommandContext,
  [first, second]: readonly [string, string],
): Promise<readonly [string, string]> {
  return await withParts(context, { mode: "read" }, async (parts) => {
    const one = await findMemory(parts, { id: first });
    const other = await findMemory(parts, { id: second });
    return [one.content, other.content];
  });
}

function conflictLine({ kind, a, b, confidence }: Conflict): string {
  return `${kind} (${confidence.toFixed(2)}): "${printable(a.text)}" and "${printable(b.text)}"`;
}
