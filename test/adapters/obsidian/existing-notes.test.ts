import matter from "gray-matter";
import { expect, test } from "vitest";
import { noteFormat } from "../../note-formats.ts";
import { aSubject } from "./a-subject.ts";
import { bodyOf, propertiesOf, textOf } from "./note-text.ts";

const moreUsed = aSubject({}, { score: 2, why: "8 uses in 14 days" });

test("compose rewrites only its own changed lines of a note", () => {
  const before = textOf(aSubject());
  const after = textOf(moreUsed, before);
  const changed = before.split("\n").filter((line, index) => line !== after.split("\n")[index]);
  expect(changed.map((line) => line.split(":")[0])).toEqual([
    "why",
    "score",
    "slowwave-hash",
    "> - Promoted on 2026-03-12",
  ]);
});

test("compose keeps a person's properties, comments, order and text byte for byte", () => {
  const mine =
    '# my own\nrating:   1e3   # five stars\nreview: 2026-05-13T20:00:00-04:00\n"quoted key": {a: [1,  2]}\nlong: >-\n  folded\n  text\n\n';
  const note = textOf(aSubject());
  const edited = `${note.replace("---\n", `---\n${mine}`).replace("score: 0.833", "score: 0.833 # hm")}\nMy own notes.  \n\n- [x] done`;
  const after = textOf(moreUsed, edited);
  expect(after).toContain(`---\n${mine}title: `);
  expect(after).toContain("score: 2 # hm\n");
  expect(after.endsWith("%% slowwave:end %%\n\nMy own notes.  \n\n- [x] done")).toBe(true);
  expect(textOf(aSubject(), after)).toBe(edited);
});

test("compose keeps text that a person wrote above its own", () => {
  const edited = textOf(aSubject()).replace("%% slowwave:begin", "# Heading\n\n%% slowwave:begin");
  expect(textOf(moreUsed, edited)).toContain("---\n# Heading\n\n%% slowwave:begin %%\n");
});

test("compose reads properties as Obsidian's panel rewrites them", () => {
  const note = textOf(aSubject());
  const restyled = note
    .replaceAll(/"(2026[^"]*)"/g, "$1")
    .replace('why: "5 uses in 14 days"', "why: 5 uses in 14 days")
    .replace("entities:\n  - Maria", "entities: [Maria]")
    .replace("---\n", "---\nrating: 5\n");
  expect(restyled).not.toBe(note);
  expect(noteFormat.compose(aSubject(), restyled)).toEqual({ kind: "text", text: restyled });
});

test("compose keeps a BOM and CRLF, and adds no second block", () => {
  const note = `\ufeff${textOf(aSubject()).replaceAll("\n", "\r\n")}`;
  const after = textOf(moreUsed, note);
  expect(after.startsWith("\ufeff---\r\n")).toBe(true);
  expect(after.replaceAll("\r\n", "")).not.toContain("\n");
  expect(after.match(/^\ufeff?---\r$/gm)).toHaveLength(2);
});

test("compose keeps tags and aliases that a person added, and those they took out", () => {
  const added = textOf(aSubject({ tags: ["a", "b"] })).replace("  - b\n", "  - b\n  - mine\n");
  expect(textOf(aSubject({ tags: ["a", "b"] }), added)).toBe(added);
  const removed = added.replace("  - a\n", "");
  expect(textOf(aSubject({ tags: ["a", "b"] }), removed)).toBe(removed);
  const retagged = textOf(aSubject({ tags: ["a", "b", "c"] }), removed);
  expect(propertiesOf(retagged).tags).toEqual(["b", "mine", "a", "c"]);
});

test.each([
  [
    "a changed property",
    "kind: semantic",
    "kind: fact",
    "its properties were changed: they differ in kind",
  ],
  [
    "a removed property",
    "kind: semantic\n",
    "",
    "its properties were changed: they differ in kind",
  ],
  ["changed text", "She told", "He told", "the text between the slowwave marks was changed"],
  ["a removed mark", "%% slowwave:end %%\n", "", "expected one %% slowwave:begin %%"],
  [
    "a doubled mark",
    "%% slowwave:end %%\n",
    "%% slowwave:end %%\n%% slowwave:end %%\n",
    "expected one %% slowwave:begin %%",
  ],
  ["a removed hash", /slowwave-hash: .*\n/, "", "its slowwave-hash property is gone"],
  [
    "a broken hash",
    /slowwave-hash: .*\n/,
    "slowwave-hash: x\n",
    "its slowwave-hash property is gone or was changed",
  ],
  ["removed marks and text", /%% slowwave:begin[\s\S]*/, "mine", "marks in its text are gone"],
  [
    "marks and hash removed",
    /slowwave-hash: [\s\S]*/,
    "---\nmine\n",
    "slowwave-hash property and the marked text were removed",
  ],
  ["another memory's note", "", "", ""],
])("compose leaves a note alone after %s, with the reason", (what, from, to, reason) => {
  const note = textOf(aSubject()).replace(from, to);
  const other = what === "another memory's note";
  const subject = other ? aSubject({ id: "m2" }) : moreUsed;
  expect(noteFormat.compose(subject, note)).toEqual({
    kind: "edited",
    reason: expect.stringContaining(other ? "it belongs to another memory, m1" : reason),
  });
});

test.each([
  ["---\na: 1\na: 2\n---\nx", "line 3: Map keys must be unique"],
  ["---\nok: 1\ntitle: Plan: phase two\n---\nx", "line 3: "],
  ["---\nsources: [a\n---\nx", "line 2: "],
  ["---\nnever: closed\n", "line 1: "],
  ["---\n{a: 1}\n---\nx", "line 2: expected one property a line"],
  ["---\njust text\n---\nx", "line 2: expected one property a line"],
  ["---\na: 1\n---more\n---\nx", "---"],
  ["---\na: &x [*x, *x]\nb: *y\n---\nx", "Unresolved alias"],
])(
  "compose leaves the broken note %j alone and names the line, each time it is asked",
  (note, reason) => {
    const answer = { kind: "edited", reason: expect.stringContaining(reason) };
    expect(noteFormat.compose(aSubject(), note)).toEqual(answer);
    expect(noteFormat.compose(aSubject(), note)).toEqual(answer);
  },
);

test("compose merges its keys into the one block of a note that was there, whose own values stay", () => {
  const theirs =
    "---\ncreated: 2026-05-13T20:00:00-04:00\n# theirs\nrating:  5\nsources: [a]\ntags: [x]\n---\nMy text";
  const note = textOf(aSubject(), theirs);
  expect(
    note.startsWith(
      "---\ncreated: 2026-05-13T20:00:00-04:00\n# theirs\nrating:  5\nsources: [a]\ntags:\n  - x\n  - health\ntitle: ",
    ),
  ).toBe(true);
  expect(note).toContain("---\nMy text\n\n%% slowwave:begin %%\n");
  expect(note.match(/^---$/gm)).toHaveLength(2);
  expect(matter(note, { engines: {} }).data).toMatchObject({
    id: "m1",
    "slowwave-keeps": ["created", "sources"],
  });
  expect(textOf(aSubject(), note)).toBe(note);
  expect(noteFormat.compose(aSubject(), note.replace("rating:  5", "rating: 4")).kind).toBe("text");
});

test("compose adds a block and its text to a note that had none, with its line ends", () => {
  const note = textOf(aSubject(), "\ufeffMy text\r\n");
  expect(note.startsWith("\ufeff---\r\ntitle: ")).toBe(true);
  expect(note).toContain("\r\n---\r\nMy text\r\n\r\n%% slowwave:begin %%\r\n");
  expect(textOf(aSubject(), note)).toBe(note);
});

test("compose never runs code that a note carries", () => {
  const hostile = "---js\nglobalThis.ranFromNote = true\n---\ntext";
  expect(bodyOf(textOf(aSubject(), hostile))).toContain(hostile);
  expect(globalThis).not.toHaveProperty("ranFromNote");
});

test("compose leaves tags that are no list as a person wrote them", () => {
  const note = textOf(aSubject(), "---\ntags: a b\n---\n");
  expect(note).toContain("---\ntags: a b\ntitle: ");
  expect(textOf(aSubject({ tags: ["new"] }), note)).toContain("---\ntags: a b\n");
});

test("two notes of equal text share nothing", () => {
  const note = textOf(aSubject());
  textOf(moreUsed, note);
  expect(textOf(aSubject(), note)).toBe(note);
});
