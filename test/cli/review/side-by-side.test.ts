import fc from "fast-check";
import { expect, test } from "vitest";
import { createPaint } from "../../../src/cli/paint.ts";
import { columnHeads, sideBySide, wrapText } from "../../../src/cli/review/side-by-side.ts";
import { widthOf } from "../../../src/cli/review/text-width.ts";

const PLAIN = createPaint({ stdout: { write: () => undefined }, env: {} });
const COLOUR = createPaint({ stdout: { write: () => undefined, isTTY: true }, env: {} });

test("sideBySide marks the rows in which words differ, without colour too", () => {
  const rows = sideBySide(
    { left: "Take 5 mg of it every day", right: "Take 10 mg of it every day", width: 31 },
    PLAIN,
  );
  expect(rows).toEqual(["Take 5 mg of   ≠ Take 10 mg of", "it every day   │ it every day"]);
});

test("sideBySide colours only the words that one side alone has", () => {
  const [row = ""] = sideBySide({ left: "5 PM", right: "8 PM", width: 40 }, COLOUR);
  expect(row).toContain("\u001b[31m5\u001b[39m PM");
  expect(row).toContain("\u001b[32m8\u001b[39m PM");
});

test("sideBySide keeps line breaks and shows control characters of a memory as text", () => {
  const rows = sideBySide({ left: "a\n\nb\u001b[2J", right: "a", width: 40 }, PLAIN);
  expect(rows).toHaveLength(3);
  expect(rows[2]).toContain("b\\u001b[2J");
});

test("columnHeads stand over the columns", () => {
  const [texts = ""] = sideBySide({ left: "x", right: "x", width: 41 }, PLAIN);
  const heads = columnHeads({ left: "m1", right: "m2", width: 41 }, PLAIN);
  expect(heads.indexOf("│")).toBe(texts.indexOf("│"));
});

test("no row is wider than asked, and no word is lost", () => {
  const text = fc.stringMatching(/^[a-zé漢字🤔 \n]{0,80}$/u);
  fc.assert(
    fc.property(text, text, fc.integer({ min: 20, max: 60 }), (left, right, width) => {
      const rows = sideBySide({ left, right, width }, PLAIN);
      for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(width);
      const letters = (some: string) => [...some.replace(/[\s│≠]/gu, "")].sort().join("");
      expect(letters(rows.join(""))).toBe(letters(left + right));
      expect(letters(wrapText(left, width).join(""))).toBe(letters(left));
    }),
  );
});
