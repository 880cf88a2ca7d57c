import { diffArrays } from "diff";
import type { Memory } from "../../model/memory.ts";
import { normalizeText } from "../../text/normalize.ts";
import { splitSentences } from "../../text/sentences.ts";
import { oneLine, type Paint, printable } from "../paint.ts";

/** A sentence is to be judged by its words, so it is shown nearly always whole. */
const SENTENCE_LENGTH = 400;

type Source = Pick<Memory, "id" | "content">;

/**
 * A merged text beside its sources: each of its sentences with the sources that say it, then each sentence of a source that is there in
 * other words only, with what those words add.
 */
export function mergeDiff(
  { sources, merged }: { readonly sources: readonly Source[]; readonly merged: string },
  paint: Paint,
): string[] {
  const said = sources.map(({ id, content }) => ({ id, sentences: splitSentences(content) }));
  const kept = splitSentences(merged);
  const forms = new Set(kept.map(normalizeText));
  return [
    ...kept.map((sentence) => {
      const form = normalizeText(sentence);
      const by = said.filter(({ sentences }) =>
        sentences.some((one) => normalizeText(one) === form),
      );
      const line = paint.green(`+ ${oneLine(sentence, SENTENCE_LENGTH)}`);
      return by.length === 0 ? line : `${line}  ${paint.dim(`← ${names(by)}`)}`;
    }),
    ...said.flatMap(({ id, sentences }) =>
      sentences
        .filter((sentence) => !forms.has(normalizeText(sentence)))
        .map(
          (sentence) =>
            `${paint.yellow("~")} ${printable(id)}: ${collapsed(sentence, kept, paint)}`,
        ),
    ),
  ];
}

function names(sources: readonly { readonly id: string }[]): string {
  const ids = sources.map(({ id }) => printable(id)).join(", ");
  return sources.length === 1 ? ids : `${ids} (kept once)`;
}

/** As `git diff --word-diff` writes it, so that it can be read without colour too. */
function collapsed(sentence: string, kept: readonly string[], paint: Paint): string {
  const whole =
    kept.toSorted((a, b) => sharedWords(b, sentence) - sharedWords(a, sentence))[0] ?? "";
  return diffArrays(wordsOf(sentence), wordsOf(whole))
    .map(({ value, added, removed }) => {
      const words = value.join(" ");
      if (added) return paint.green(`{+${words}+}`);
      return removed ? paint.red(`[-${words}-]`) : words;
    })
    .join(" ");
}

function wordsOf(sentence: string): string[] {
  return oneLine(sentence, SENTENCE_LENGTH).split(" ");
}

function sharedWords(a: string, b: string): number {
  const words = new Set(normalizeText(a).split(" "));
  return normalizeText(b)
    .split(" ")
    .filter((word) => words.has(word)).length;
}
