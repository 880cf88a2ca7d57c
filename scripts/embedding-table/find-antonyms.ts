import { readWordnet, type Synset } from "./read-wordnet.ts";

/** The asset as it is stored: a JSON list, one pair a line. */
export async function antonymsText(): Promise<string> {
  const lines = (await findAntonyms()).map(
    ([a, b]) => `[${JSON.stringify(a)}, ${JSON.stringify(b)}]`,
  );
  return `[\n${lines.join(",\n")}\n]\n`;
}

/** Pairs of words that WordNet points from one to the other as antonyms, each pair and the list in alphabetical order. */
async function findAntonyms(): Promise<readonly (readonly [string, string])[]> {
  const synsets = await readWordnet();
  const byKey = new Map(synsets.map((synset) => [synset.key, synset]));
  const pairs = new Map<string, readonly [string, string]>();
  for (const synset of synsets) {
    for (const [a, b] of oppositesOf(synset, byKey)) {
      const pair = a < b ? ([a, b] as const) : ([b, a] as const);
      pairs.set(JSON.stringify(pair), pair);
    }
  }
  return [...pairs.values()].sort(([a, b], [c, d]) => compare(a, c) || compare(b, d));
}

function oppositesOf(
  { words, pointers }: Synset,
  byKey: ReadonlyMap<string, Synset>,
): readonly (readonly [string, string])[] {
  return pointers
    .filter(({ symbol }) => symbol === "!")
    .flatMap(({ target, from, to }) => {
      const others = byKey.get(target)?.words ?? [];
      const opposites = pick(others, to);
      return pick(words, from).flatMap((word) => opposites.map((other) => [word, other] as const));
    });
}

/** The word at a place that counts from 1; all of them for 0. */
function pick(words: readonly string[], place: number): readonly string[] {
  return place === 0 ? words : words.slice(place - 1, place);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
