import { recall } from "../../api/recall.ts";
import { DEFAULT_NAMESPACE } from "../../model/memory.ts";
import type { Parts } from "../../wire.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { memoryLine } from "../reporters/memory-text.ts";
import { withParts } from "../with-parts.ts";

export interface RecallFlags {
  readonly limit?: number;
  /** False with --no-touch. */
  readonly touch: boolean;
}

export async function recallMemories(
  context: CommandContext,
  words: readonly string[],
  flags: RecallFlags,
): Promise<CommandResult> {
  const mode = flags.touch ? "write" : "read";
  return await withParts(context, { mode, create: false }, async (parts) => {
    const hits = await recall(parts, { query: words.join(" "), ...flags });
    const advice = hits.length === 0 ? await whereElse(parts) : "";
    return {
      document: {
        hits: hits.map(({ memory, score, cosine, textScore }) => ({
          id: memory.id,
          content: memory.content,
          score,
          cosine,
          textScore,
          namespace: memory.namespace,
          kind: memory.kind,
          status: memory.status,
          disputed: memory.disputed,
          tags: memory.tags,
        })),
      },
      text: (paint) =>
        hits.length === 0
          ? `nothing found${advice}`
          : hits
              .map((hit) => `${hit.score.toFixed(3)}  ${memoryLine(hit.memory, paint)}`)
              .join("\n"),
    };
  });
}

/** Nothing crosses a namespace, so an empty answer says where there is something. */
async function whereElse(parts: Parts): Promise<string> {
  const searched = parts.config.namespace ?? DEFAULT_NAMESPACE;
  const { namespace: _namespace, ...config } = parts.config;
  const { stats } = await import("../../api/memory-listing.ts");
  const { namespaces } = await stats({ ...parts, config });
  const others = Object.keys(namespaces).filter((name) => name !== searched);
  if (others.length === 0) return "";
  return ` in namespace ${printable(searched)}; there are also: ${others.map(printable).join(", ")} (--namespace)`;
}
