import { diffArrays } from "diff";

/** A word of a text, a line break (`"\n"`), and whether the other text has it in this place too. */
export interface DiffWord {
  readonly text: string;
  readonly isShared: boolean;
}

export interface WordDiff {
  readonly left: readonly DiffWord[];
  readonly right: readonly DiffWord[];
}

/** Two texts that share next to nothing are not worth seconds of looking for what they share. */
const MOST_EDITS = 4000;

/** Word by word. Texts too far apart are given as wholly different. */
export function diffWords(left: string, right: string): WordDiff {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  const parts = diffArrays([...a], [...b], { maxEditLength: MOST_EDITS }) ?? [
    { value: a, removed: true, added: false },
    { value: b, removed: false, added: true },
  ];
  return {
    left: parts
      .filter(({ added }) => !added)
      .flatMap(({ value, removed }) => marked(value, !removed)),
    right: parts
      .filter(({ removed }) => !removed)
      .flatMap(({ value, added }) => marked(value, !added)),
  };
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\n|[^\s]+/gu) ?? [];
}

function marked(words: readonly string[], isShared: boolean): readonly DiffWord[] {
  // A line break is where the writer put it, never what two texts differ in.
  return words.map((text) => ({ text, isShared: isShared || text === "\n" }));
}
