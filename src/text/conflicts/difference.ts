import type { Statement } from "./statement.ts";
import type { Word } from "./words.ts";

/** A run of words on one or both sides that do not match, between words that do. */
export interface Block {
  readonly a: readonly Word[];
  readonly b: readonly Word[];
}

/** How two statements differ in their words. */
export interface Difference {
  /** Content words whose meaning the other statement lacks anywhere. */
  readonly onlyA: readonly Word[];
  readonly onlyB: readonly Word[];
  /** Content meanings that both have. */
  readonly shared: number;
  /** Shared content over all content, 0–1. */
  readonly overlap: number;
  /** Differences in reading order, those of stop words alone left out. */
  readonly blocks: readonly Block[];
}

/** Words in `agreed` are no difference, whatever they look like. */
export function findDifference(a: Statement, b: Statement, agreed: ReadonlySet<Word>): Difference {
  const [inA, inB] = [meanings(a), meanings(b)];
  const onlyA = a.content.filter((word) => !agreed.has(word) && !isKnown(word, inB));
  const onlyB = b.content.filter((word) => !agreed.has(word) && !isKnown(word, inA));
  const joined = dropJoinedWords(onlyA, onlyB);
  const shared = [...inA].filter((meaning) => inB.has(meaning)).length;
  const total = new Set([...inA, ...inB]).size;
  return {
    ...joined,
    shared,
    overlap: total === 0 ? 1 : shared / total,
    blocks: alignBlocks(a.words, b.words),
  };
}

function meanings({ content }: Statement): ReadonlySet<string> {
  return new Set(content.map((word) => word.meaning));
}

function isKnown(word: Word, meanings: ReadonlySet<string>): boolean {
  return (
    meanings.has(word.meaning) ||
    meanings.has(`${word.meaning}e`) ||
    (word.meaning.endsWith("e") && meanings.has(word.meaning.slice(0, -1)))
  );
}

/** "front end" on one side and "frontend" on the other are no difference. */
function dropJoinedWords(
  onlyA: readonly Word[],
  onlyB: readonly Word[],
): { onlyA: readonly Word[]; onlyB: readonly Word[] } {
  const joinedA = joinedPairs(onlyA, onlyB);
  const joinedB = joinedPairs(onlyB, onlyA);
  const dropped = new Set([...joinedA, ...joinedB]);
  return {
    onlyA: onlyA.filter((word) => !dropped.has(word)),
    onlyB: onlyB.filter((word) => !dropped.has(word)),
  };
}

function joinedPairs(parts: readonly Word[], wholes: readonly Word[]): Word[] {
  return parts.flatMap((first, index) => {
    const second = parts[index + 1];
    const whole = wholes.find((word) => word.fold === first.fold + (second?.fold ?? ""));
    return second === undefined || whole === undefined ? [] : [first, second, whole];
  });
}

/** Longest common subsequence over meanings, then the gaps between matches. */
function alignBlocks(a: readonly Word[], b: readonly Word[]): Block[] {
  const blocks: Block[] = [];
  let [fromA, fromB] = [0, 0];
  for (const [indexA, indexB] of [...matchWords(a, b), [a.length, b.length] as const]) {
    const block = { a: a.slice(fromA, indexA), b: b.slice(fromB, indexB) };
    if ([...block.a, ...block.b].some((word) => !word.isStop)) blocks.push(block);
    [fromA, fromB] = [indexA + 1, indexB + 1];
  }
  return blocks;
}

function matchWords(a: readonly Word[], b: readonly Word[]): (readonly [number, number])[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const isMatch = a[i]?.meaning === b[j]?.meaning;
      lengths[i * width + j] = isMatch
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return walkMatches(a, b, at);
}

function walkMatches(
  a: readonly Word[],
  b: readonly Word[],
  at: (i: number, j: number) => number,
): (readonly [number, number])[] {
  const matches: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i]?.meaning === b[j]?.meaning) matches.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return matches;
}
