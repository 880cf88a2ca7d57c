import fc from "fast-check";
import { expect, test } from "vitest";
import { createVocabulary } from "../../../src/adapters/static-embedder/vocabulary.ts";

const aToken = fc.string({ minLength: 1, unit: "binary" }).filter((text) => !text.includes("\n"));

function textOf(tokens: readonly string[]): string {
  return tokens.map((token) => `${token}\n`).join("");
}

test("a vocabulary gives each token the number of its line, and nothing else a number", () => {
  fc.assert(
    fc.property(fc.uniqueArray(aToken), fc.array(aToken), (tokens, others) => {
      const vocabulary = createVocabulary(textOf(tokens), tokens.length);
      expect(vocabulary.size).toBe(tokens.length);
      for (const token of [...tokens, ...others, ...tokens.map((one) => `${one}s`)]) {
        const id = tokens.indexOf(token);
        expect(vocabulary.idOf(token)).toBe(id === -1 ? undefined : id);
      }
    }),
  );
});

test("an empty vocabulary knows no token", () => {
  expect(createVocabulary("", 0).idOf("tea")).toBeUndefined();
});

test("a vocabulary counts what is there up to its capacity, and takes no more", () => {
  expect(createVocabulary(textOf(["tea"]), 3).size).toBe(1);
  const vocabulary = createVocabulary(textOf(["tea", "coffee"]), 1);
  expect(vocabulary.size).toBe(1);
  expect(vocabulary.idOf("coffee")).toBeUndefined();
});
