import { expect, test } from "vitest";
import { isSameWord, lemma, wordForms } from "../../src/text/lemma.ts";
import { contentWords, tokenize, wordTokens } from "../../src/text/tokens.ts";

test.each([
  ["Upgrade to v1.2.3, not 1.2.", ["upgrade", "to", "v1.2.3", "not", "1.2"]],
  ["C++ and C# and node.js", ["c++", "and", "c#", "and", "node.js"]],
  ["It costs $12,000 at 9:40.", ["it", "costs", "12,000", "at", "9:40"]],
  ["Don’t use us-east-1!", ["don't", "use", "us-east-1"]],
  ["Mail kim@example.com", ["mail", "kim@example.com"]],
  ["see https://example.com/a?b=1.", ["see", "https://example.com/a?b=1"]],
  ["彼は東京", ["彼", "は", "東", "京"]],
  ["Жанна любит чай", ["жанна", "любит", "чай"]],
])("wordTokens splits %j", (text, expected) => {
  expect(wordTokens(text)).toEqual(expected);
});

test("tokenize says where each word stands in the original text", () => {
  const text = "“Kim’s” plan — v2";
  for (const token of tokenize(text)) expect(text.slice(token.start, token.end)).toBe(token.text);
});

test("contentWords drops articles and keeps negation", () => {
  expect(contentWords("The user does not eat the meat")).toEqual(["not", "eat", "meat"]);
});

test.each([
  ["deploys", "deployed"],
  ["uses", "using"],
  ["running", "ran"],
  ["policies", "policy"],
  ["Kim's", "kim"],
  ["moved", "move"],
])("isSameWord joins %s and %s", (a, b) => {
  expect(isSameWord(a.toLowerCase(), b.toLowerCase())).toBe(true);
});

test.each([
  ["bus", "bu"],
  ["glass", "glas"],
  ["analysis", "analysi"],
  ["bed", "b"],
  ["sing", "s"],
])("lemma leaves %s alone", (word) => {
  expect(lemma(word)).toBe(word);
});

test("wordForms offers the silent e that the stemmer took", () => {
  expect(wordForms("hating")).toContain("hate");
});
