import { readFileSync } from "node:fs";
import { createAntonymLexicon } from "../../../src/text/conflicts/antonym-lexicon.ts";
import {
  type ConflictRules,
  createConflictRules,
} from "../../../src/text/conflicts/create-conflict-rules.ts";
import type { SpanSimilarity } from "../../../src/text/conflicts/pair.ts";

/** The rules as they are shipped: with the antonyms of `assets/`. */
export function shippedRules(spanSimilarity?: SpanSimilarity): ConflictRules {
  const file = new URL("../../../assets/antonyms.json", import.meta.url);
  // The file is ours; `createAntonymLexicon` takes nothing but pairs.
  const pairs = JSON.parse(readFileSync(file, "utf8")) as [string, string][];
  const antonyms = createAntonymLexicon(pairs);
  return createConflictRules(
    spanSimilarity === undefined ? { antonyms } : { antonyms, spanSimilarity },
  );
}
