import type { Memory } from "../../model/memory.ts";
import type { LanguageModel } from "../../ports/language-model.ts";
import { verifyMerge } from "../../text/merge-check/verify-merge.ts";
import { datedText } from "../leaves.ts";
import { mergePrompt, readMergeReply, repairPrompt } from "../prompts/merge-prompt.ts";
import { compareIds } from "../work-items.ts";

export type ModelVerdict =
  /** The content keeps every sentence of the records and adds none. */
  | { readonly kind: "merge"; readonly content: string; readonly by: string }
  | { readonly kind: "keep_separate"; readonly by: string }
  /** It answered, and the answer cannot be used; asking again would bring the same. */
  | { readonly kind: "rejected"; readonly reason: string; readonly by: string }
  /** It did not answer: to be asked again another night. */
  | { readonly kind: "unavailable"; readonly reason: string };

/** Asks once, and once more where the reply is malformed. What the model writes is checked as if a stranger had sent it. */
export async function askModel(
  records: readonly Memory[],
  { model, signal }: { readonly model: LanguageModel; readonly signal: AbortSignal },
): Promise<ModelVerdict> {
  const sources = records.toSorted((a, b) => a.createdAt - b.createdAt || compareIds(a.id, b.id));
  let asking = mergePrompt(sources.map(datedText));
  let problem = "";
  for (const _try of ["first", "repair"]) {
    // In turn: the second question quotes the first reply.
    const reply = await model.complete(asking, signal);
    if (reply.kind === "failed") {
      return ANSWERED.has(reply.failure)
        ? { kind: "rejected", reason: reply.message, by: model.id }
        : { kind: "unavailable", reason: reply.message };
    }
    const by = `${model.id}, reply ${reply.id.slice(0, 12)}`;
    const read = readMergeReply(reply.text, sources.length);
    if (read.kind === "reply") {
      if (read.reply.decision === "keep_separate") return { kind: "keep_separate", by };
      return verified(read.reply.content.trim(), { sources, by });
    }
    problem = read.problem;
    asking = repairPrompt(asking, { reply: reply.text, problem });
  }
  return { kind: "rejected", reason: `its reply could not be used (${problem})`, by: model.id };
}

/** Failures that are an answer. */
const ANSWERED: ReadonlySet<string> = new Set(["truncated", "refusal", "empty"]);

function verified(
  content: string,
  { sources, by }: { readonly sources: readonly Memory[]; readonly by: string },
): ModelVerdict {
  const losses = verifyMerge({ sources, merged: content });
  if (losses.length === 0) return { kind: "merge", content, by };
  const count = (kind: string): number => losses.filter((loss) => loss.kind === kind).length;
  const reason = `its text lost ${count("missing")} sentences of the memories and added ${count("added")} of its own`;
  return { kind: "rejected", reason, by };
}
