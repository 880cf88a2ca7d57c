import fc from "fast-check";
import remarkParse from "remark-parse";
import remarkWikiLink from "remark-wiki-link";
import { unified } from "unified";
import { expect, test } from "vitest";
import { aSubject } from "./a-subject.ts";
import { bodyOf, propertiesOf, textOf } from "./note-text.ts";

/** What is asked of a node of remark's tree. */
interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly MarkdownNode[];
  /** Of a wikilink: what is shown of it. */
  readonly data?: { readonly alias?: unknown } | undefined;
}

/** CommonMark, with wikilinks as Obsidian writes them. */
const markdown = unified().use(remarkParse).use(remarkWikiLink, { aliasDivider: "|" });

/** The blocks at the top of a text, with the words in each. */
function blocksOf(text: string): readonly { readonly type: string; readonly words: string }[] {
  const root: MarkdownNode = markdown.parse(text);
  return (root.children ?? []).map((node) => ({ type: node.type, words: wordsOf(node) }));
}

/** A wikilink's words are where it leads and what it shows. */
function wordsOf({ type, value = "", children = [], data }: MarkdownNode): string {
  if (type === "wikiLink") return `${value} → ${String(data?.alias)}`;
  return value + children.map(wordsOf).join("");
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

test("whatever a memory says, remark reads the links and sources below it as blocks of their own", () => {
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
      expect(list).toEqual({ type: "list", words: "Memories/Semantic/a → A" });
      expect(callout?.type).toBe("blockquote");
      expect(callout?.words.startsWith("[!info]- Where this comes from")).toBe(true);
      expect(end).toEqual({ type: "paragraph", words: "%% slowwave:end %%" });
      expect(propertiesOf(note).id).toBe("m1");
    }),
    { numRuns: 300 },
  );
});

test("a note that was written is read alike by gray-matter, both YAML versions and remark", () => {
  const note = textOf(aSubject({ content: "Tea: *green*, not black." }));
  expect(propertiesOf(note).title).toBe("Tea: *green*, not black");
  expect(blocksOf(bodyOf(note)).map((block) => block.type)).toEqual([
    "paragraph",
    "paragraph",
    "blockquote",
    "paragraph",
  ]);
});
