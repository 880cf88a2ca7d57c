import { type Node, Parser } from "commonmark";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aSubject } from "./a-subject.ts";
import { bodyOf, propertiesOf, textOf } from "./note-text.ts";

/** The blocks at the top of a text, as CommonMark reads it, with the words in each. */
function blocksOf(markdown: string): readonly { readonly type: string; readonly words: string }[] {
  const blocks: { type: string; words: string }[] = [];
  for (let node = new Parser().parse(markdown).firstChild; node !== null; node = node.next) {
    blocks.push({ type: node.type, words: wordsOf(node) });
  }
  return blocks;
}

function wordsOf(node: Node): string {
  let words = "";
  const walker = node.walker();
  for (let event = walker.next(); event !== null; event = walker.next()) {
    if (event.entering) words += event.node.literal ?? "";
  }
  return words;
}

const PIECES = ["```", "~~~", "\n", "\n\n", "%%", "<!--", "<pre>", "<script>", "<?", "<![CDATA["];
const MORE = [
  "> ",
  "- ",
  "1. ",
  "    ",
  "\t",
  "`",
  "\\",
  "[a]: b",
  "---\n",
  "===\n",
  "| a |",
  "<div>",
];

test("whatever a memory says, CommonMark reads the links and sources below it as blocks of their own", () => {
  const piece = fc.oneof(
    fc.constantFrom(...PIECES, ...MORE),
    fc.string({ unit: "grapheme", maxLength: 8 }),
  );
  const content = fc.array(piece, { maxLength: 10 }).map((parts) => parts.join(""));
  const links = [{ path: "Memories/Semantic/a.md", title: "A", relationType: "related" }];
  fc.assert(
    fc.property(content, (text) => {
      const note = textOf(aSubject({ content: text }, { links }));
      const blocks = blocksOf(bodyOf(note));
      expect(blocks[0]).toEqual({ type: "paragraph", words: "%% slowwave:begin %%" });
      const [heading, list, callout, end] = blocks.slice(-4);
      expect(heading).toEqual({ type: "heading", words: "Related" });
      expect(list).toEqual({ type: "list", words: "[[Memories/Semantic/a|A]]" });
      expect(callout?.type).toBe("block_quote");
      expect(callout?.words.startsWith("[!info]- Where this comes from")).toBe(true);
      expect(end).toEqual({ type: "paragraph", words: "%% slowwave:end %%" });
      expect(propertiesOf(note).id).toBe("m1");
    }),
    { numRuns: 1000 },
  );
});

test("a note that was written is read alike by gray-matter, both YAML versions and CommonMark", () => {
  const note = textOf(aSubject({ content: "Tea: *green*, not black." }));
  expect(propertiesOf(note).title).toBe("Tea: *green*, not black");
  expect(blocksOf(bodyOf(note)).map((block) => block.type)).toEqual([
    "paragraph",
    "paragraph",
    "block_quote",
    "paragraph",
  ]);
});
