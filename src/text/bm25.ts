import { wordTokens } from "./tokens.ts";

const K1 = 1.2;
const B = 0.75;

/**
 * Okapi BM25 (k1 1.2, b 0.75) of a query against each document, over word tokens, without stemming or stop words. A document that
 * shares no word with the query scores 0.
 */
export function bm25Scores(query: string, documents: readonly string[]): readonly number[] {
  const terms = new Set(wordTokens(query));
  if (terms.size === 0) return documents.map(() => 0);
  const counted = documents.map((document) => countTerms(document, terms));
  const meanLength = counted.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const weights = new Map([...terms].map((term) => [term, inverseFrequency(term, counted)]));
  return counted.map(({ counts, length }) => {
    const norm = K1 * (1 - B + (B * length) / meanLength);
    let score = 0;
    for (const [term, count] of counts) {
      score += ((weights.get(term) ?? 0) * count * (K1 + 1)) / (count + norm);
    }
    return score;
  });
}

interface CountedDocument {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

function countTerms(document: string, terms: ReadonlySet<string>): CountedDocument {
  const words = wordTokens(document);
  const counts = new Map<string, number>();
  for (const word of words) {
    if (terms.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return { counts, length: words.length };
}

function inverseFrequency(term: string, documents: readonly CountedDocument[]): number {
  const holders = documents.filter(({ counts }) => counts.has(term)).length;
  return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
}
