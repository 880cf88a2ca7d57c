import { type Issue, mergedTextOf } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import { type Loss, verifyMerge, verifyRewording } from "../../text/merge-check/verify-merge.ts";
import { normalizeText } from "../../text/normalize.ts";
import { sentenceSpans } from "../../text/sentences.ts";
import { datedText } from "../leaves.ts";
import { compareIds } from "../work-items.ts";

export interface ComposedContent {
  readonly content: string;
  /** What the independent verifier misses in it; a merge that loses anything must not be made. */
  readonly losses: readonly Loss[];
}

/**
 * The union of several texts, sentence by sentence, in the order in which they were written. A sentence that another one says as well,
 * or says more exactly, is left out, provided that the verifier finds nothing missing; everything else stays word for word.
 */
export function composeContent(records: readonly Memory[]): ComposedContent {
  const sources = records.toSorted((a, b) => a.createdAt - b.createdAt || compareIds(a.id, b.id));
  const texts = sources.map(datedText);
  // Collapsing looks at pairs of sentences. Should the whole lose something nevertheless, less and less is left out.
  for (const coversIt of [covers, isCopy]) {
    const composed = verified(sources, unite(texts, coversIt));
    if (composed.losses.length === 0) return composed;
  }
  return verified(
    sources,
    unite(texts, () => false),
  );
}

/**
 * What a person wrote in place of that, with what is wrong with it; `undefined` where nobody did. As a model's, it may be worded anew in ways
 * that surely keep the sense.
 */
export function editedContent(
  issue: Pick<Issue, "notes">,
  records: readonly Memory[],
): ComposedContent | undefined {
  const merged = mergedTextOf(issue);
  if (merged === undefined) return undefined;
  return { content: merged, losses: verifyRewording({ sources: records, merged }) };
}

function verified(sources: readonly Memory[], content: string): ComposedContent {
  return { content, losses: verifyMerge({ sources, merged: content }) };
}

interface Sentence {
  readonly source: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

type Covers = (other: Sentence, sentence: Sentence) => boolean;

function unite(texts: readonly string[], coversIt: Covers): string {
  const sources = texts.map((text, source) =>
    sentenceSpans(text).map((span): Sentence => ({ ...span, source })),
  );
  const kept = withoutRepeats(withoutParts(sources, coversIt), coversIt);
  return texts
    .map((text, source) =>
      joinKept(
        text,
        kept.filter((sentence) => sentence.source === source),
      ),
    )
    .filter((part) => part !== "")
    .reduce((joined, part) => (joined === "" ? part : joined + breakBefore(part) + part), "");
}

/** Leaves out whole sources that another one says: that one then stays as it was written. */
function withoutParts(
  sources: readonly (readonly Sentence[])[],
  coversIt: Covers,
): readonly (readonly Sentence[])[] {
  const isPart = (part: readonly Sentence[], whole: readonly Sentence[]): boolean =>
    part.every((sentence) => whole.some((other) => coversIt(other, sentence)));
  const left = new Set(sources);
  for (const [at, part] of sources.entries()) {
    const isSaidElsewhere = sources.some((whole, wholeAt) => {
      if (whole === part || !left.has(whole) || !isPart(part, whole)) return false;
      return wholeAt < at || !isPart(whole, part);
    });
    if (isSaidElsewhere) left.delete(part);
  }
  return [...left];
}

function withoutRepeats(
  sources: readonly (readonly Sentence[])[],
  coversIt: Covers,
): readonly Sentence[] {
  const sentences = sources.flat();
  const dropped = new Set<Sentence>();
  for (const [at, sentence] of sentences.entries()) {
    const isSaidElsewhere = sentences.some((other, otherAt) => {
      if (other.source === sentence.source || dropped.has(other)) return false;
      // Of two that cover each other the earlier stays.
      return coversIt(other, sentence) && (otherAt < at || !coversIt(sentence, other));
    });
    if (isSaidElsewhere) dropped.add(sentence);
  }
  return sentences.filter((sentence) => !dropped.has(sentence));
}

/** One source a line: a space could make one sentence of two. A line in lower case, or of several, would read on from the one before. */
function breakBefore(part: string): string {
  return /^\p{Ll}|\n/u.test(part) ? "\n\n" : "\n";
}

/** The kept sentences with the white space that stood between them: a text that keeps all is itself. */
function joinKept(text: string, kept: readonly Sentence[]): string {
  let joined = "";
  let from: number | undefined;
  for (const { start, end } of kept) {
    const sentence = text.slice(start, end);
    if (from !== undefined) joined += gapBetween(text.slice(from, start), sentence);
    joined += sentence;
    from = end;
  }
  return joined;
}

/** Where sentences between were left out, only a break of the line and the indent after it matter. */
function gapBetween(between: string, next: string): string {
  if (between.trim() === "") return between;
  if (!between.includes("\n")) return " ";
  const indent = /\n([^\S\n]*)$/u.exec(between)?.[1] ?? "";
  return breakBefore(next) + indent;
}

const isCopy: Covers = (other, sentence) =>
  normalizeText(other.text) === normalizeText(sentence.text);

/** By the verifier's own measure, so that what is left out here is what it does not miss. */
const covers: Covers = (other, sentence) => {
  if (isCopy(other, sentence)) return true;
  const sources = [{ content: sentence.text, createdAt: 0 }];
  return verifyMerge({ sources, merged: other.text }).every(({ kind }) => kind === "added");
};
