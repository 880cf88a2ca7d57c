import fc from "fast-check";
import { expect } from "vitest";
import { noteFormat } from "../../note-formats.ts";
import { aSubject } from "./a-subject.ts";
import { propertiesOf, textOf } from "./note-text.ts";

const PIECES = [
  "```",
  "~~~",
  "\n",
  "\r\n",
  "%%",
  "%% slowwave:end %%",
  "---\n",
  "<!--",
  "<pre>",
  "> ",
  "- ",
  "`",
  "\\",
  "no",
  "2026-01-01",
  "yes",
  "~",
  "1e3",
  "007",
  "0x1F",
  "12:30",
  "e\u0301",
  "\ufeff",
  "🎉",
  "👩‍👩‍👧",
  "שלום \u202e",
  "[[x|y]]",
  "![[z]]",
  "|",
  "#",
  "^",
  "---",
  "...",
  "- [ ] ",
  "## Also said\n",
  "## Related\n",
];

/** Any text, with what breaks notes, names, links and YAML more often than chance would have it. */
export const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...PIECES),
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(""));

/** Composes notes of random memories, and composes them again onto what was written. */
export function checkFixpoint(numRuns: number): void {
  const text = anyText;
  const list = fc.array(text, { maxLength: 2 });
  const score = fc.double({ noNaN: true, min: 0, max: 100 });
  const check = (
    content: string,
    title: string,
    words: readonly string[],
    points: number,
  ): void => {
    const subject = aSubject(
      { content, extra: { title }, tags: words, entities: words, context: title },
      { why: title, score: points, links: [{ path: "a.md", title, relationType: "related" }] },
    );
    const note = textOf(subject);
    expect(noteFormat.compose(subject, note)).toEqual({ kind: "text", text: note });
    const crlf = `\ufeff${note.replaceAll("\n", "\r\n")}`;
    expect(noteFormat.compose(subject, crlf)).toEqual({ kind: "text", text: crlf });
    const data = propertiesOf(note);
    expect(data).toMatchObject({ title: noteFormat.titleOf(subject.memory), id: "m1" });
  };
  fc.assert(fc.property(text, text, list, score, check), { numRuns });
}
