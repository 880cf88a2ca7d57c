import type { Memory } from "../../model/memory.ts";
import type { ModelReply } from "../../model/model-reply.ts";
import type { LanguageModel, LanguageRequest } from "../../ports/language-model.ts";
import { verifyRewording } from "../../text/merge-check/verify-merge.ts";
import { datedText } from "../leaves.ts";
import { type ReadReply, repairPrompt } from "../prompts/fenced-notes.ts";
import { type MergeReply, mergePrompt, readMergeReply } from "../prompts/merge-prompt.ts";
import { readWordingReply, wordingPrompt } from "../prompts/wording-prompt.ts";
import { compareIds } from "../work-items.ts";

/** `replies`: what it said, the unusable included. */
export type ModelVerdict = { readonly replies: readonly ModelReply[] } & (
  | /** The content says all that the records say and nothing else, and `by` names who wrote it. */ {
      readonly kind: "merge";
      readonly content: string;
      readonly by: string;
    }
  | { readonly kind: "keep_separate"; readonly by: string }
  /** It answered, and the answer cannot be used; asking again would bring the same. */
  | { readonly kind: "rejected"; readonly reason: string; readonly by: string }
  /** It did not answer: to be asked again another night. */
  | { readonly kind: "unavailable"; readonly reason: string }
);

interface Asking {
  readonly model: LanguageModel;
  readonly signal: AbortSignal;
}

/** Whether the records are to become one, and in which words. */
export async function askForMerge(
  records: readonly Memory[],
  asking: Asking,
): Promise<ModelVerdict> {
  const sources = inOrder(records);
  const asked = await ask(mergePrompt(sources.map(datedText)), {
    ...asking,
    read: (text) => readMergeReply(text, sources.length),
  });
  if (asked.kind !== "read") return asked;
  const { replies, by, reply } = asked;
  if (reply.decision === "keep_separate") return { kind: "keep_separate", by, replies };
  return verified(reply, { sources, by, replies });
}

/** The text of a merge that is decided already; never `keep_separate`. */
export async function askForWording(
  records: readonly Memory[],
  asking: Asking,
): Promise<Exclude<ModelVerdict, { kind: "keep_separate" }>> {
  const sources = inOrder(records);
  const asked = await ask(wordingPrompt(sources.map(datedText)), {
    ...asking,
    read: (text) => readWordingReply(text, sources.length),
  });
  return asked.kind === "read" ? verified(asked.reply, { ...asked, sources }) : asked;
}

function inOrder(records: readonly Memory[]): readonly Memory[] {
  return records.toSorted((a, b) => a.createdAt - b.createdAt || compareIds(a.id, b.id));
}

interface ReadAnswer<T> {
  readonly kind: "read";
  readonly reply: T;
  readonly by: string;
  readonly replies: readonly ModelReply[];
}

type Unusable = Extract<ModelVerdict, { kind: "rejected" | "unavailable" }>;

/** Asks once, and once more where the reply is malformed. */
async function ask<T>(
  request: LanguageRequest,
  { model, signal, read }: Asking & { readonly read: (text: string) => ReadReply<T> },
): Promise<ReadAnswer<T> | Unusable> {
  let asking = request;
  let problem = "";
  const replies: ModelReply[] = [];
  for (const _try of ["first", "repair"]) {
    // In turn: the second question quotes the first reply.
    const answer = await model.complete(asking, signal);
    if (answer.kind === "failed") {
      return ANSWERED.has(answer.failure)
        ? { kind: "rejected", reason: answer.message, by: model.id, replies }
        : { kind: "unavailable", reason: answer.message, replies };
    }
    replies.push(answer.reply);
    const result = read(answer.text);
    if (result.kind === "reply") {
      const by = `${model.id}, reply ${answer.reply.id.slice(0, 12)}`;
      return { kind: "read", reply: result.reply, by, replies };
    }
    problem = result.problem;
    asking = repairPrompt(request, { reply: answer.text, problem });
  }
  const reason = `its reply could not be used (${problem})`;
  return { kind: "rejected", reason, by: model.id, replies };
}

/** Failures that are an answer. */
const ANSWERED: ReadonlySet<string> = new Set(["truncated", "refusal", "empty"]);

/** What the model writes is checked as if a stranger had sent it. */
function verified(
  { content }: Pick<MergeReply, "content">,
  asked: {
    readonly sources: readonly Memory[];
    readonly by: string;
    readonly replies: readonly ModelReply[];
  },
): Extract<ModelVerdict, { kind: "merge" | "rejected" }> {
  const { sources, by, replies } = asked;
  const merged = content.trim();
  const losses = verifyRewording({ sources, merged });
  if (losses.length === 0) return { kind: "merge", content: merged, by, replies };
  const count = (kind: string): number => losses.filter((loss) => loss.kind === kind).length;
  const reason = `its text lost ${count("missing")} sentences of the memories and has ${count("added")} that may say something else`;
  return { kind: "rejected", reason, by, replies };
}
