/** A word of a text, a line break (`"\n"`), and whether the other text has it in this place too. */
export interface DiffWord {
  readonly text: string;
  readonly isShared: boolean;
}

export interface WordDiff {
  readonly left: readonly DiffWord[];
  readonly right: readonly DiffWord[];
}

/** The table of the comparison has a cell for each pair of words; beyond so many, words are not compared. */
const MOST_CELLS = 1_000_000;

/** Word by word, along a longest common subsequence. Texts too long for that are given as wholly different. */
export function diffWords(left: string, right: string): WordDiff {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  const shared = a.length * b.length > MOST_CELLS ? [] : commonPairs(a, b);
  const [sharedLeft, sharedRight] = [
    new Set(shared.map(([at]) => at)),
    new Set(shared.map(([, at]) => at)),
  ];
  return { left: marked(a, sharedLeft), right: marked(b, sharedRight) };
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\n|[^\s]+/gu) ?? [];
}

function marked(words: readonly string[], shared: ReadonlySet<number>): readonly DiffWord[] {
  // A line break is where the writer put it, never what two texts differ in.
  return words.map((text, at) => ({ text, isShared: text === "\n" || shared.has(at) }));
}

function commonPairs(a: readonly string[], b: readonly string[]): readonly [number, number][] {
  const lengths = commonLengths(a, b);
  const width = b.length + 1;
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) {
      i += 1;
    } else {
      j += 1;
    }
  }
  return pairs;
}

/** Cell (i, j): how long a common subsequence the rest of `a` from i and of `b` from j have. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const at = i * width + j;
      lengths[at] =
        a[i] === b[j]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  return lengths;
}
