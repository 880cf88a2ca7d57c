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
];

/** Composes notes of random memories, and composes them again onto what was written. */
export function checkFixpoint(numRuns: number): void {
  const piece = fc.oneof(
    fc.constantFrom(...PIECES),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
  );
  const text = fc.array(piece, { maxLength: 10 }).map((parts) => parts.join(""));
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
