import { dayOf, hasUndatedDay, removeDates } from "./added-dates.ts";
import { covers } from "./covers.ts";
import { undoRewording } from "./undo-rewording.ts";
import { splitUnits, unitKey } from "./units.ts";

export interface MergeSource {
  readonly content: string;
  /** When the source was written, milliseconds since the epoch: the anchor of "yesterday" in it. */
  readonly createdAt: number;
}

export type Loss =
  | {
      readonly kind: "missing";
      readonly source: number;
      readonly text: string;
      readonly reason: string;
    }
  | { readonly kind: "added"; readonly text: string; readonly reason: string };

/**
 * Whether a merged text says all that its sources say, and nothing else. Empty means lossless.
 *
 * Every sentence of every source must stand in `merged`, or be covered by one sentence of it that has all its words,
 * numbers, denials, names and code in the same order. Every sentence of `merged` must stand in a source; the only new
 * text allowed is the right date in brackets behind a relative one: "yesterday (2025-03-02)". A source written on a later
 * day than the oldest must have that date behind "yesterday" and its like.
 *
 * This folder shares no code with whatever merges, on purpose: a mistake in a common tokenizer would hide itself.
 */
export function verifyMerge({
  sources,
  merged,
}: {
  readonly sources: readonly MergeSource[];
  readonly merged: string;
}): readonly Loss[] {
  return compare(splitUnits(merged), sources);
}

/**
 * The same of a text that a language model wrote, which may be worded more fluently: but only in ways that can be undone for certain, see
 * `undoRewording`. What the sources' own sentences then come to has to be lossless as any merge.
 */
export function verifyRewording({
  sources,
  merged,
}: {
  readonly sources: readonly MergeSource[];
  readonly merged: string;
}): readonly Loss[] {
  const { told, unknown } = undoRewording(
    merged,
    sources.map(({ content }) => content),
  );
  const reason = "this is made of no sentence of a source in a way that surely keeps its sense";
  return [
    ...compare(told, sources),
    ...unknown.map((text): Loss => ({ kind: "added", text, reason })),
  ];
}

function compare(mergedUnits: readonly string[], sources: readonly MergeSource[]): readonly Loss[] {
  const earliest = Math.min(...sources.map((source) => dayOf(source.createdAt)));
  const sourceUnits = sources.flatMap(({ content, createdAt }, source) =>
    splitUnits(content).map((text) => ({
      text,
      source,
      createdAt,
      isLater: dayOf(createdAt) > earliest,
    })),
  );
  const missing = sourceUnits
    .filter((sentence) => !mergedUnits.some((unit) => keeps(unit, sentence)))
    .map(
      ({ text, source }): Loss => ({
        kind: "missing",
        source,
        text,
        reason: "no sentence of the merged text says this in full",
      }),
    );
  const added = mergedUnits
    .filter((unit) => !sourceUnits.some((sentence) => repeats(unit, sentence)))
    .map((text): Loss => ({ kind: "added", text, reason: "no source says this" }));
  return [...missing, ...added];
}

/** A sentence of a source. */
interface Sentence {
  readonly text: string;
  readonly createdAt: number;
  /** Written on a later day than the oldest source, whose time the merged memory takes. */
  readonly isLater: boolean;
}

function keeps(unit: string, sentence: Sentence): boolean {
  // Without its date, a later "yesterday" would come to mean the day before the oldest source.
  if (sentence.isLater && hasUndatedDay(sentence.text) && hasUndatedDay(unit)) return false;
  if (repeats(unit, sentence)) return true;
  const bare = removeDates(unit, sentence.createdAt);
  return bare !== undefined && covers(bare, sentence.text);
}

/** The source's sentence word for word, but for dates added rightly. */
function repeats(unit: string, { text, createdAt }: Sentence): boolean {
  if (unitKey(unit) === unitKey(text)) return true;
  const bare = removeDates(unit, createdAt);
  return bare !== undefined && unitKey(bare) === unitKey(text);
}
