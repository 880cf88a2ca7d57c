import fc from "fast-check";
import { expect, test } from "vitest";
import { sentenceSpans, splitSentences } from "../../src/text/sentences.ts";

test.each([
  ["two sentences", "User likes tea. Kim likes coffee.", 2],
  ["a title", "Dr. Chen called. Mrs. Ito answered.", 2],
  ["e.g. and vs.", "Use a linter, e.g. Biome. It is tabs vs. spaces again.", 2],
  ["decimals and versions", "Pi is 3.14. Node v20.1.3 works.", 2],
  ["URLs and file names", "See https://a.example/x.y?z=1. Edit config.prod.yaml now.", 2],
  ["initials", "J. R. R. Tolkien wrote it. George W. Bush read it.", 2],
  ["a single letter that ends a sentence", "User takes vitamin D. User sleeps well.", 2],
  ["questions and exclamations", "Really?! Yes! It works.", 3],
  ["a quotation that goes on", 'She asked "Really?" and left. Then it rained.', 2],
  ["sentences inside one quotation", 'He wrote "It broke. I fixed it." in the log.', 1],
  ["sentences inside brackets", "It failed (see log. It is long.) at night.", 1],
  ["list items", "- buy milk\n- call Ann\n* sleep", 3],
  ["a numbered list", "1. Install it.\n2. Run it.", 2],
  ["a wrapped paragraph", "The build failed because\nthe disk was full.", 1],
  ["key-value lines", "name: Kim\nrole: admin", 2],
  ["a heading and its text", "# Setup\nrun it", 2],
  ["Chinese", "我喜欢茶。你呢？很好！", 3],
  ["an ellipsis that goes on", "Well... it works. Good.", 2],
  [
    "p.m. in the middle and at the end",
    "Meet at 5 p.m. on Friday. It ends at 6 p.m. The room is free.",
    3,
  ],
  ["a month abbreviation", "Due on Oct. 15. Paid on Nov. 2.", 2],
  ["code spans", "Run `a. b. C` first. Then stop.", 2],
  ["an empty text", "  \n ", 0],
  ["lower-case chat", "i went home. then i slept.", 2],
  ["company endings", "Acme Inc. hired Bo. Bo works for Acme Corp. The pay is good.", 3],
])("splitSentences counts the sentences of %s", (_name, text, count) => {
  expect(splitSentences(text)).toHaveLength(count);
});

test("splitSentences keeps a fenced code block in one piece", () => {
  const code = "```sh\ncd /srv. ls\n\nmake all. Done.\n```";
  expect(splitSentences(`Run this.\n${code}\nThen wait.`)).toEqual([
    "Run this.",
    code,
    "Then wait.",
  ]);
});

test("splitSentences lets an unclosed fence run to the end", () => {
  expect(splitSentences("Look:\n```\na. B\n\nc. D")).toEqual(["Look:", "```\na. B\n\nc. D"]);
});

const prose = fc
  .array(
    fc.constantFrom(
      "Dr.",
      "a",
      "B.",
      "。",
      "v1.2",
      "\n",
      " ",
      "- x",
      "```",
      "`q. R`",
      '"',
      "(",
      ")",
      "!",
      "?",
      "…",
      "e.g.",
      "\r\n",
      "The",
      "#",
      "x: y",
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(" "));

test("splitSentences loses nothing but white space", () => {
  fc.assert(
    fc.property(fc.oneof(prose, fc.string({ unit: "binary" })), (text) => {
      expect(splitSentences(text).join("").replace(/\s/gu, "")).toBe(text.replace(/\s/gu, ""));
    }),
  );
});

test("sentenceSpans gives places in order that do not overlap", () => {
  fc.assert(
    fc.property(prose, (text) => {
      let from = 0;
      for (const span of sentenceSpans(text)) {
        expect(span.start).toBeGreaterThanOrEqual(from);
        expect(text.slice(span.start, span.end)).toBe(span.text);
        from = span.end;
      }
    }),
  );
});
