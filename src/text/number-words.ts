/** The value of an English number written in words ("twenty-five", "two hundred and ten", "dozen"); undefined for other text. */
export function parseNumberWords(text: string): number | undefined {
  const words = text
    .toLowerCase()
    .split(/[\s-]+/u)
    .filter((word) => word !== "and");
  // A thousand, a million and a billion close the group of words before them.
  let total = 0;
  let group = 0;
  for (const word of words) {
    const scale = SCALES.get(word) ?? 1;
    const small = SMALL.get(word) ?? (scale === 1 ? Number.NaN : 0);
    group = scale === 1 ? group + small : Math.max(group, 1) * scale;
    if (scale >= CLOSES_GROUP) {
      total += group;
      group = 0;
    }
  }
  const value = total + group;
  return words.length === 0 || Number.isNaN(value) ? undefined : value;
}

const CLOSES_GROUP = 1000;

const SMALL: ReadonlyMap<string, number> = new Map([
  ...(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
    "eighteen nineteen"
  )
    .split(" ")
    .map((word, value) => [word, value] as const),
  ..."twenty thirty forty fifty sixty seventy eighty ninety"
    .split(" ")
    .map((word, index) => [word, (index + 2) * 10] as const),
]);

const SCALES: ReadonlyMap<string, number> = new Map([
  ["dozen", 12],
  ["hundred", 100],
  ["thousand", 1000],
  ["million", 1e6],
  ["billion", 1e9],
]);

const WORD = [...SMALL.keys(), ...SCALES.keys()].sort((a, b) => b.length - a.length).join("|");

/** Source of a pattern that matches a run of number words. */
export const NUMBER_WORDS_PATTERN: string = `\\b(?:${WORD})(?:(?:[\\s-]+|\\s+and\\s+)(?:${WORD}))*\\b`;
