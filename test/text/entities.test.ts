import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { entityKey } from "../../src/text/entities/entity-key.ts";
import { extractEntities } from "../../src/text/entities/extract-entities.ts";

interface LabelledText {
  readonly text: string;
  readonly entities: readonly string[];
}

function labelledTexts(): LabelledText[] {
  const file = new URL("../fixtures/entities.labels.jsonl", import.meta.url);
  // The fixture is ours, one `LabelledText` a line.
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as LabelledText);
}

test("extractEntities reaches an F1 of 0.88 on the labelled texts", () => {
  let hits = 0;
  let found = 0;
  let expected = 0;
  const differences: string[] = [];
  for (const { text, entities } of labelledTexts()) {
    const keys = new Set(extractEntities(text).map(entityKey));
    const labels = new Set(entities.map(entityKey));
    hits += [...keys].filter((key) => labels.has(key)).length;
    found += keys.size;
    expected += labels.size;
    const missed = [...labels].filter((key) => !keys.has(key));
    const extra = [...keys].filter((key) => !labels.has(key));
    if (missed.length + extra.length > 0)
      differences.push(`${text} missed [${missed}] extra [${extra}]`);
  }
  const f1 = (2 * hits) / (found + expected);
  expect(f1, differences.join("\n")).toBeGreaterThanOrEqual(0.88);
});

test.each([
  ["The team ships on Fridays.", []],
  ["Always run the tests.", []],
  ["Yesterday it rained. Nothing happened.", []],
  ["Thanks! See you.", []],
  ["Backups run every night.", []],
  ["We've moved to Oslo.", ["Oslo"]],
  ["Kim likes tea.", ["Kim"]],
  ["Dr. Ito met George W. Bush in Washington.", ["Ito", "George W. Bush", "Washington"]],
  ["Kim's brother works at the University of Oslo.", ["Kim", "University of Oslo"]],
  ["Call `getUser` from src/user.ts.", ["getUser", "src/user.ts"]],
  ["See https://a.example/x and ask @kim in #ops.", ["https://a.example/x", "@kim", "#ops"]],
  ["User watched “Blade Runner” again.", ["Blade Runner"]],
  ['He said "I will come later." and left.', []],
  ["GitHub, github and GITHUB", ["GitHub"]],
  ["Set `A` in code.\n```\nconst Foo = Bar;\n```", ["A"]],
  ["", []],
])("extractEntities of %j", (text, expected) => {
  expect(extractEntities(text)).toEqual(expected);
});

test("entityKey joins case and composition, and keeps accents apart", () => {
  expect(entityKey("GitHub")).toBe(entityKey("github"));
  expect(entityKey("Krako\u0301w")).toBe(entityKey("KRAKÓW"));
  expect(entityKey("New  York")).toBe(entityKey("New York"));
  expect(entityKey("Łódź")).not.toBe(entityKey("Lodz"));
});

test("extractEntities gives every name as it stands in the text, once", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      const entities = extractEntities(text);
      expect(new Set(entities.map(entityKey)).size).toBe(entities.length);
      for (const entity of entities) expect(text).toContain(entity);
    }),
  );
});
