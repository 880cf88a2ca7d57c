import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeContent, unescapeContent } from "../../../src/adapters/obsidian/escape-content.ts";
import type { NoteEdits, NoteSubject } from "../../../src/ports/note-vault.ts";
import { noteFormat } from "../../note-formats.ts";
import { aSubject } from "./a-subject.ts";
import { textOf } from "./note-text.ts";

function editsOf(subject: NoteSubject, existing: string, written?: string): Promise<NoteEdits> {
  return noteFormat.readEdits({ subject, existing, written: async () => written });
}

test("a note as it was written holds no edits, also in CRLF and below a person's own text", async () => {
  const note = `${textOf(aSubject())}\nMine.\n`;
  expect(await editsOf(aSubject(), note)).toEqual({ kind: "none" });
  expect(await editsOf(aSubject(), note.replaceAll("\n", "\r\n"))).toEqual({ kind: "none" });
  expect(await editsOf(aSubject(), "Just mine.")).toEqual({ kind: "none" });
});

test.each([
  ["100%% sure", "100%\\% sure", "100%\\% sure.", "100%% sure."],
  ["<!-- a", "\\<!-- a", "\\<!-- b", "<!-- b"],
  ["First.\nkeep %\\% this", "First", "Second", "Second.\nkeep %\\% this"],
  ["```\nnever closed", "never closed", "not closed", "```\nnot closed"],
])(
  "the text %j comes back without what was put in to protect the note",
  async (content, from, to, wanted) => {
    const note = textOf(aSubject({ content })).replace(`\n${from}`, `\n${to}`);
    expect(await editsOf(aSubject({ content }), note)).toMatchObject({
      kind: "edits",
      changes: { content: wanted },
    });
  },
);

test.each([
  ["> [!info]- Where", "> [!info] Where", "links or sources"],
  ["Maria is allergic to penicillin. She told the clinic.\n\n>", ">", "was emptied"],
  ["kind: semantic", "kind: fact", "kind has no such value"],
  ["score: 0.833", "score: 1", "score has no such value"],
  ["kind: semantic", "kind: semantic\nkind: semantic", "Map keys must be unique"],
])(
  "an edit of %j to %j has no place in a memory, and the reason is given",
  async (from, to, why) => {
    const note = textOf(aSubject()).replace(from, to);
    expect(note).not.toBe(textOf(aSubject()));
    expect(await editsOf(aSubject(), note)).toEqual({
      kind: "blocked",
      reason: expect.stringContaining(why),
    });
  },
);

test("an edit that says what the memory says by now is no conflict", async () => {
  const note = textOf(aSubject()).replace("She told", "He told");
  const same = aSubject({ content: "Maria is allergic to penicillin. He told the clinic." });
  expect(await editsOf(same, note)).toEqual({ kind: "none" });
  expect(noteFormat.compose(same, note).kind).toBe("text");
});

test("without what was written last, a change on both sides is a conflict that shows two versions", async () => {
  const note = textOf(aSubject()).replace("She told", "He told");
  const edits = await editsOf(aSubject({ content: "Other." }), note);
  expect(edits).toMatchObject({
    kind: "conflict",
    diff: expect.stringContaining("no longer known"),
  });
});

test("a text keeps its escapes when it is not edited, and loses them when it is", () => {
  const piece = fc.oneof(
    fc.constantFrom("%%", "<!--", "```", "~~~", "\n", "`", "- ", "> ", "%% slowwave:end %%"),
    fc.string(),
  );
  const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join("").trim());
  fc.assert(
    fc.property(text, (content) => {
      expect(escapeContent(unescapeContent(escapeContent(content), content))).toBe(
        escapeContent(content),
      );
    }),
    { numRuns: 500 },
  );
});

test("an edit anywhere in a random text comes back, and the note then says exactly what the person wrote", async () => {
  const line = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 30 });
  const lines = fc.array(line, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(lines, fc.nat(), async (texts, at) => {
      const content = texts.join("\n").trim();
      const escaped = escapeContent(content);
      const note = textOf(aSubject({ content }));
      const split = escaped.split("\n");
      const index = at % split.length;
      const edited = split.with(index, `${split[index]} added`).join("\n");
      const text = note.replace(`\n\n${escaped}\n`, () => `\n\n${edited}\n`);
      if (text === note) return;
      const edits = await editsOf(aSubject({ content }), text);
      if (edits.kind !== "edits") throw new Error(`${edits.kind} for ${JSON.stringify(content)}`);
      const after = aSubject({ content, ...edits.changes } as Parameters<typeof aSubject>[0]);
      const again = noteFormat.compose(after, text, "taken");
      if (again.kind !== "text") throw new Error(again.reason);
      expect(again.text).toContain(edited.trim());
    }),
    { numRuns: 200 },
  );
});
