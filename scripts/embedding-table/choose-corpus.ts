import { createRandom } from "../../bench/speed/random.ts";
import { createVocabulary } from "../../src/adapters/static-embedder/vocabulary.ts";
import { createWordPieces } from "../../src/adapters/static-embedder/word-pieces.ts";
import { readWordnet } from "./read-wordnet.ts";
import { shuffle } from "./shuffle.ts";

/** A sentence for the teacher, with the tokens whose rows will learn from it. */
export interface Sentence {
  readonly text: string;
  readonly tokens: readonly number[];
}

export interface Corpus {
  /** The most useful first: any beginning of it is a corpus as well. */
  readonly sentences: readonly Sentence[];
  /** How often each token occurs in all of them. */
  readonly counts: Float64Array;
}

const SEED = 1;
export const MAX_TOKENS = 64;

/** Definitions and example sentences of WordNet, each once. */
export async function readCorpus(tokens: readonly string[]): Promise<Corpus> {
  const vocabulary = createVocabulary(`${tokens.join("\n")}\n`, tokens.length);
  const split = createWordPieces({ vocabulary, maxTokens: MAX_TOKENS });
  const seen = new Map<string, Sentence>();
  for (const { gloss } of await readWordnet()) {
    for (const text of partsOf(gloss)) {
      const tokens = split(text);
      if (tokens.length > 0) seen.set(tokens.join(" "), { text, tokens });
    }
  }
  const sentences = shuffle([...seen.values()], createRandom(SEED));
  const counts = new Float64Array(vocabulary.size);
  for (const { tokens } of sentences)
    for (const token of tokens) counts[token] = at(counts, token) + 1;
  return { sentences: byUsefulness(sentences, vocabulary.size), counts };
}

/** A gloss is a definition, then examples in quotes: `draw air in; "I can breathe"; "he breathed"`. */
function partsOf(gloss: string): readonly string[] {
  return gloss
    .split('; "')
    .map((part) => part.replace(/^[\s";]+|[\s";]+$/gu, "").replace(/\s+/gu, " "))
    .filter(({ length }) => length > 12 && length < 160);
}

/**
 * In rounds: a sentence is taken when one of its tokens has been seen fewer than 1, 2, 4, 8 … times. The teacher is the slow part
 * of the build, and the hundredth sentence with "person" teaches less than the third one with "quokka".
 */
function byUsefulness(sentences: readonly Sentence[], size: number): readonly Sentence[] {
  const seen = new Int32Array(size);
  const chosen: Sentence[] = [];
  let left = sentences;
  for (let wanted = 1; left.length > 0; wanted *= 2) {
    const passedOver: Sentence[] = [];
    for (const sentence of left) {
      if (sentence.tokens.some((token) => at(seen, token) < wanted)) {
        chosen.push(sentence);
        for (const token of sentence.tokens) seen[token] = at(seen, token) + 1;
      } else passedOver.push(sentence);
    }
    left = passedOver;
  }
  return chosen;
}

function at(values: Int32Array | Float64Array, index: number): number {
  return values[index] ?? 0;
}
