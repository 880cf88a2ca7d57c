import { expect, test } from "vitest";
import { generateTexts } from "../../bench/speed/generate-texts.ts";

test("generated texts follow from the seed, and a larger store begins with the smaller one", () => {
  const texts = generateTexts(300, 7);
  expect(generateTexts(300, 7)).toEqual(texts);
  expect(generateTexts(500, 7).slice(0, 300)).toEqual(texts);
  expect(generateTexts(300, 8)).not.toEqual(texts);
});

test("generated texts repeat and extend one another now and then", () => {
  const texts = generateTexts(2000, 7);
  const copies = texts.length - new Set(texts).size;
  const known = new Set(texts);
  const extended = texts.filter((text) =>
    [...known].some((other) => text !== other && text.startsWith(`${other} `)),
  );
  expect(copies).toBeGreaterThan(40);
  expect(extended.length).toBeGreaterThan(20);
});
