import type { Conflict } from "./conflict.ts";
import type { Block } from "./difference.ts";
import { type Pair, spanOfWords } from "./pair.ts";
import { takesManyValues } from "./predicates.ts";
import { shareAList } from "./word-lists.ts";
import type { Word } from "./words.ts";

/**
 * One place in the sentence is filled differently: another member of the same list (Berlin, Munich), another name, or,
 * where a similarity of words is at hand, a word that means something else.
 */
export function findSlotConflicts(pair: Pair): readonly Conflict[] {
  const found = listSlot(pair) ?? nameSlot(pair) ?? openSlot(pair);
  if (found === undefined) return [];
  const isAddition = takesManyValues(pair.a.text) && takesManyValues(pair.b.text);
  return [isAddition ? toAddition(pair, found) : toConflict(pair, found)];
}

interface Slot {
  readonly a: readonly Word[];
  readonly b: readonly Word[];
  readonly confidence: number;
}

function listSlot(pair: Pair): Slot | undefined {
  const { onlyA, onlyB, blocks, shared, overlap } = pair.difference;
  if (shared === 0) return undefined;
  for (const a of onlyA) {
    const b = onlyB.find(
      (word) => shareAList(a.lemma, word.lemma) || shareAList(a.fold, word.fold),
    );
    if (b === undefined) continue;
    const isAligned = blocks.some((block) => block.a.includes(a) && block.b.includes(b));
    return { a: [a], b: [b], confidence: isAligned ? 0.9 : 0.55 + 0.3 * overlap };
  }
  return undefined;
}

function nameSlot(pair: Pair): Slot | undefined {
  if (pair.difference.shared === 0) return undefined;
  for (const block of replacements(pair)) {
    const [a, b] = [
      namesIn(block.a, pair.difference.onlyA),
      namesIn(block.b, pair.difference.onlyB),
    ];
    const isMoreName =
      pair.difference.overlap >= MINIMUM_OVERLAP && block.a.length <= 4 && block.b.length <= 4;
    if (a.length > 0 && b.length > 0 && isMoreName && !isShortForm(a, b)) {
      return { a, b, confidence: 0.5 + 0.4 * pair.difference.overlap };
    }
  }
  return undefined;
}

const MINIMUM_OVERLAP = 0.3;

function namesIn(words: readonly Word[], missing: readonly Word[]): readonly Word[] {
  return words.filter((word) => word.isName && missing.includes(word));
}

/** "NYC" for "New York City", "Liz" for "Lizzie". */
function isShortForm(a: readonly Word[], b: readonly Word[]): boolean {
  const join = (words: readonly Word[]) => words.map((word) => word.fold).join("");
  const initials = (words: readonly Word[]) => words.map((word) => word.fold[0]).join("");
  const [longer, shorter] = join(a).length >= join(b).length ? [a, b] : [b, a];
  return initials(longer) === join(shorter) || join(longer).startsWith(join(shorter));
}

/** Exactly one place differs, by a few words that are not alike. */
function openSlot(pair: Pair): Slot | undefined {
  const { blocks, shared } = pair.difference;
  const [block] = blocks;
  if (pair.spanSimilarity === undefined || block === undefined || blocks.length > 1)
    return undefined;
  const [a, b] = [contentOf(block.a), contentOf(block.b)];
  const isShort = (words: readonly Word[]) => words.length >= 1 && words.length <= 3;
  const longer = Math.max(pair.a.content.length, pair.b.content.length);
  if (!isShort(a) || !isShort(b) || shared < Math.max(2, longer / 2)) return undefined;
  const similarity = pair.spanSimilarity(textOf(a), textOf(b));
  return similarity < DIFFERENT_MEANING ? { a, b, confidence: 0.55 } : undefined;
}

/** Chosen on labelled pairs with the bundled static embeddings: below it most substitutions are contradictions. */
const DIFFERENT_MEANING = 0.2;

function replacements({ difference }: Pair): readonly Block[] {
  return difference.blocks.filter((block) => block.a.length > 0 && block.b.length > 0);
}

function contentOf(words: readonly Word[]): readonly Word[] {
  return words.filter((word) => !word.isStop);
}

function textOf(words: readonly Word[]): string {
  return words.map((word) => word.text).join(" ");
}

function toConflict(pair: Pair, { a, b, confidence }: Slot): Conflict {
  return {
    kind: "slot",
    a: spanOfWords(pair.a, a),
    b: spanOfWords(pair.b, b),
    confidence,
    reason: `"${textOf(a)}" stands where the other text has "${textOf(b)}"`,
  };
}

function toAddition(pair: Pair, { a, b }: Slot): Conflict {
  return {
    kind: "distinct",
    a: spanOfWords(pair.a, a),
    b: spanOfWords(pair.b, b),
    confidence: 0.2,
    reason: `"${textOf(a)}" and "${textOf(b)}" can both be true`,
  };
}
