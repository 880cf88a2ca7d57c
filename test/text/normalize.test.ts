import fc from "fast-check";
import { expect, test } from "vitest";
import { foldCase, normalizeText, plainPunctuation } from "../../src/text/normalize.ts";

test.each([
  ["case and spacing", "User  likes\n tea", "user likes Tea"],
  ["a closing full stop", "User likes tea.", "User likes tea"],
  ["curly quotes and long dashes", "Kim’s “plan” – now", 'Kim\'s "plan" - now'],
  ["composed and decomposed letters", "Krako\u0301w", "Kraków"],
  ["a soft hyphen", "data\u00adbase", "database"],
  ["sharp s", "Straße", "STRASSE"],
  ["the two small sigmas", "ΟΔΟΣ", "οδος"],
])("normalizeText ignores %s", (_name, a, b) => {
  expect(normalizeText(a)).toBe(normalizeText(b));
});

test.each([
  ["accents", "Łódź", "Lodz"],
  ["dotless and dotted i", "ılık", "ilik"],
  ["a question and a statement", "User likes tea?", "User likes tea."],
  ["the case of a one-letter flag", "run it with -v", "run it with -V"],
  ["the case inside a code span", "call `getUser`", "call `getuser`"],
  ["a minus sign before a number", "it is -5 outside", "it is 5 outside"],
  ["Chinese characters", "他喜欢茶。", "他喜欢酒。"],
])("normalizeText keeps apart %s", (_name, a, b) => {
  expect(normalizeText(a)).not.toBe(normalizeText(b));
});

test("normalizeText never empties a text that holds a letter", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      fc.pre(/\p{L}/u.test(text.normalize("NFC")));
      expect(normalizeText(text)).not.toBe("");
    }),
  );
});

test("normalizeText of a normalised text changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const once = normalizeText(text);
      expect(normalizeText(once)).toBe(once);
    }),
  );
});

test("plainPunctuation keeps the length, so spans stay valid", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(plainPunctuation(text)).toHaveLength(text.length);
    }),
  );
});

test("foldCase joins names that differ in case in any script", () => {
  expect(foldCase("МОСКВА")).toBe(foldCase("москва"));
});
