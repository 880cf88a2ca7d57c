import { findMemory } from "../../api/change-memory.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { explainPairs, judgementLines } from "../explain/explain-pairs.ts";
import { configOf, progressOf, withParts } from "../with-parts.ts";

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
  const texts = [a, b].map((content, index) => ({ id: `${index}`, content }));
  const [judgement] = await explainPairs(texts, { config, progress: progressOf(context) });
  if (judgement === undefined) throw new TypeError("two texts make a pair");
  const { verdict, autoMerge, similarity, conflicts, reason } = judgement;
  return {
    document: { verdict, autoMerge, similarity, conflicts, reason, a, b },
    text: () => judgementLines(judgement).join("\n"),
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
