import { standingOf } from "../../model/issue.ts";
import type { AgentContext } from "../../ports/agent.ts";
import type { LanguageModel } from "../../ports/language-model.ts";
import { datedText } from "../leaves.ts";
import { askForWording } from "./ask-model.ts";
import type { MergeWork } from "./propose-merge.ts";
import { hasSecret } from "./secret-guard.ts";

/** In the model's words, where one is configured and its words are proven to say the same. A merge never waits for them. */
export async function rewordMerge(
  work: MergeWork,
  { model, context }: { readonly model: LanguageModel | undefined; readonly context: AgentContext },
): Promise<MergeWork> {
  const records = work.sources.leaves.map(({ record }) => record);
  // What a person approved becomes what the preview showed, and a text that is a source's own needs no other words.
  const isApproved = standingOf(work.issue) === "approved";
  const isOwnText = records.some((record) => datedText(record) === work.content);
  if (model === undefined || isApproved || isOwnText || hasSecret(records)) return work;
  const verdict = await askForWording(records, { model, signal: context.signal });
  const { replies } = verdict;
  if (verdict.kind === "merge") {
    return {
      ...work,
      content: verdict.content,
      told: { said: `worded by ${verdict.by}`, replies },
    };
  }
  if (verdict.kind === "unavailable") context.progress.note(`language model: ${verdict.reason}`);
  const said = `in the sources' own words, as the language model could not help: ${verdict.reason}`;
  return { ...work, told: { said, replies } };
}
