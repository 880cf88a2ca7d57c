import { expect, test } from "vitest";
import { createPaint } from "../../../src/cli/paint.ts";
import { mergeDiff } from "../../../src/cli/reporters/merge-diff.ts";
import { noteDiffs } from "../../../src/cli/reporters/note-diff.ts";

const PLAIN = createPaint({ stdout: { write: () => undefined }, env: {} });
const COLOUR = createPaint({ stdout: { write: () => undefined, isTTY: true }, env: {} });

test("a sentence that collapsed into a fuller one is shown with what that one adds", () => {
  const sources = [
    { id: "a", content: "The ledger keeps a snapshot. It runs on Postgres 16." },
    { id: "b", content: "The ledger keeps an hourly snapshot." },
  ];
  const merged = "The ledger keeps an hourly snapshot. It runs on Postgres 16.";
  expect(mergeDiff({ sources, merged }, PLAIN)).toEqual([
    "+ The ledger keeps an hourly snapshot.  ← b",
    "+ It runs on Postgres 16.  ← a",
    "~ a: The ledger keeps [-a-] {+an hourly+} snapshot.",
  ]);
});

test("a sentence that no source has word for word names none", () => {
  const sources = [{ id: "a", content: "We met yesterday." }];
  expect(mergeDiff({ sources, merged: "We met yesterday (2026-03-01)." }, PLAIN)).toEqual([
    "+ We met yesterday (2026-03-01).",
    "~ a: We met [-yesterday.-] {+yesterday (2026-03-01).+}",
  ]);
});

test("a changed note is a unified diff against the note as it stands, coloured where colour is wanted", () => {
  const before = { text: "---\nuses: 4\n---\n# Tea\n\nGreen tea.\n" };
  const after = { text: "---\nuses: 5\n---\n# Tea\n\nGreen tea.\n" };
  const changes = [{ kind: "note.put", path: "Memories/tea.md", before, after }] as const;
  expect(noteDiffs(changes, PLAIN)).toEqual([
    "--- a/Memories/tea.md",
    "+++ b/Memories/tea.md",
    "@@ -1,4 +1,4 @@",
    " ---",
    "-uses: 4",
    "+uses: 5",
    " ---",
    " # Tea",
  ]);
  const coloured = noteDiffs(changes, COLOUR);
  expect(coloured).toContain("\u001b[31m-uses: 4\u001b[39m");
  expect(coloured).toContain("\u001b[32m+uses: 5\u001b[39m");
});

test("a new note is all plus, a long one is cut, a moved one is a line, and control characters stay text", () => {
  const text = `# New\u001b[2J\n${"line\n".repeat(40)}`;
  const lines = noteDiffs(
    [
      { kind: "note.put", path: "new.md", before: null, after: { text } },
      { kind: "note.move", from: "a.md", to: "Archive/a.md" },
    ],
    PLAIN,
  );
  expect(lines.slice(0, 4)).toEqual([
    "--- /dev/null",
    "+++ b/new.md",
    "@@ -0,0 +1,41 @@",
    "+# New\\u001b[2J",
  ]);
  expect(lines.at(-2)).toMatch(/^… and 18 more lines/);
  expect(lines.at(-1)).toBe("move a.md to Archive/a.md");
});
