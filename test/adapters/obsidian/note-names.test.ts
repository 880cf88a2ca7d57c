import fc from "fast-check";
import { expect, test } from "vitest";
import { noteFileName } from "../../../src/adapters/obsidian/note-name.ts";
import { foldCase } from "../../../src/text/normalize.ts";
import { noteFormat } from "../../note-formats.ts";
import { aMemory } from "./a-subject.ts";

test.each([
  ["A/B: why?", "A-B - why"],
  ["To restore ledger from a snapshot:", "To restore ledger from a snapshot"],
  ["| a / b |", "a - b"],
  ["Primer #1", "Primer 1"],
  ["x^2 [draft]", "x2 (draft)"],
  ["x | y", "x - y"],
  ['C:\\temp "quoted" <tag> *star*', "C--temp quoted tag star"],
  ["line\nbreak\tand\u0000null", "line break and null"],
  ["CON", "_CON"],
  ["aux", "_aux"],
  ["NUL.tar", "_NUL.tar"],
  ["com¹", "_com¹"],
  ["console", "console"],
  ["ends with dots...", "ends with dots"],
  ["ends with space ", "ends with space"],
  [".hidden", "hidden"],
  ["../../x", "-..-x"],
  ["100%% sure %%hidden%%", "100% sure %hidden%"],
  ["Cafe\u0301", "Café"],
  ["zero\u200bwidth \u202etxt.exe", "zerowidth txt.exe"],
  ["🎉 done 👩‍👩‍👧", "🎉 done 👩‍👩‍👧"],
  ["日本語のタイトル", "日本語のタイトル"],
])("noteFileName turns %j into %j", (title, expected) => {
  expect(noteFileName(title, "m1")).toBe(expected);
});

test.each(["", "   ", "???", "...", "/", "\u0000"])("noteFileName names %j by its id", (title) => {
  expect(noteFileName(title, "m1")).toMatch(/^Note [0-9a-f]{8}$/);
});

test("noteFileName gives two memories without a title two names", () => {
  expect(noteFileName("", "m1")).not.toBe(noteFileName("", "m2"));
});

test("noteFileName cuts 281 ASCII characters to 200 bytes with a hash that tells long titles apart", () => {
  const long = "a".repeat(281);
  const name = noteFileName(long, "m1");
  expect(Buffer.byteLength(`${name}.md`)).toBeLessThanOrEqual(200);
  expect(name).toMatch(/^a+ [0-9a-f]{8}$/);
  expect(name).not.toBe(noteFileName(`${long}b`, "m1"));
});

test("noteFileName never cuts through a visible character", () => {
  const family = "👩‍👩‍👧";
  const name = noteFileName(family.repeat(30), "m1");
  expect(name.replace(/ [0-9a-f]{8}$/, "").replaceAll(family, "")).toBe("");
});

test("noteFileName is safe for any title, on every system and in every link", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.string(), (title, id) => {
      const name = noteFileName(title, id);
      expect(name).toBe(name.normalize("NFC"));
      expect(name).not.toMatch(/[\\/:*?"<>|#^[\]\p{Cc}\p{Cs}]|%%|^[\s.]|[\s.]$|^$/u);
      expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
      expect(Buffer.byteLength(`${name}.md`)).toBeLessThanOrEqual(200);
      expect(Buffer.from(name).toString()).toBe(name);
    }),
    { numRuns: 1000 },
  );
});

test("pathFor puts notes into a folder a kind", () => {
  const free = (): boolean => false;
  const content = "Deploy with docker compose.";
  expect(noteFormat.pathFor(aMemory({ content }), free)).toBe(
    "Memories/Semantic/Deploy with docker compose.md",
  );
  expect(noteFormat.pathFor(aMemory({ content, kind: "procedural" }), free)).toMatch(
    /^Memories\/Procedural\//,
  );
  expect(noteFormat.pathFor(aMemory({ content, kind: "episodic" }), free)).toMatch(
    /^Memories\/Episodic\//,
  );
});

test("pathFor gives two memories of one title two paths, and the same ones each time", () => {
  const taken = new Set<string>();
  const paths = ["m1", "m2", "m3"].map((id) => {
    const path = noteFormat.pathFor(aMemory({ id, content: "Setup" }), (folded) =>
      taken.has(folded),
    );
    taken.add(foldCase(path));
    return path;
  });
  expect(paths[0]).toBe("Memories/Semantic/Setup.md");
  expect(paths[1]).toMatch(/^Memories\/Semantic\/Setup [0-9a-f]{8}\.md$/);
  expect(new Set(paths).size).toBe(3);
  const again = noteFormat.pathFor(
    aMemory({ id: "m2", content: "Setup" }),
    (folded) => folded === foldCase("Memories/Semantic/Setup.md"),
  );
  expect(again).toBe(paths[1]);
});

test("pathFor avoids a person's README.md for the title readme", () => {
  const taken = new Set(["Memories/Semantic/README.md"].map(foldCase));
  const path = noteFormat.pathFor(aMemory({ content: "readme" }), (folded) => taken.has(folded));
  expect(path).toMatch(/^Memories\/Semantic\/readme [0-9a-f]{8}\.md$/);
});

test("pathFor keeps a suffixed name within the limit", () => {
  const content = "語".repeat(80);
  const path = noteFormat.pathFor(
    aMemory({ content }),
    (folded) => !/ [0-9a-f]{16}\.md$/.test(folded),
  );
  expect(Buffer.byteLength(path.split("/").at(-1) ?? "")).toBeLessThanOrEqual(200);
});

test.each([
  ["Maria is allergic to penicillin. She told the clinic.", "Maria is allergic to penicillin"],
  ["# Plan: phase two\n\nMore.", "Plan: phase two"],
  ["- [ ] buy **oat** milk", "buy oat milk"],
  ["---\nreplicas: 3\n---\ntext", "replicas: 3"],
  ["```sh\nnpm ci\n```", "npm ci"],
  ["Is it v1.2.3? Yes.", "Is it v1.2.3?"],
  ["🎉🎉", "🎉🎉"],
  ["", "Memory"],
  ["\n \t", "Memory"],
])("titleOf takes %j for %j", (content, expected) => {
  const title = noteFormat.titleOf(aMemory({ content }));
  expect(title.replace(/ [0-9a-f]{8}$/, "")).toBe(expected);
});

test("titleOf prefers the title that an import brought, on one line", () => {
  const memory = aMemory({ extra: { title: "Plan:\n phase two" } });
  expect(noteFormat.titleOf(memory)).toBe("Plan: phase two");
});

test("titleOf is one line of 1 to 80 characters for any content", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (content) => {
      const title = noteFormat.titleOf(aMemory({ content }));
      expect(title.length).toBeGreaterThan(0);
      expect(title.length).toBeLessThanOrEqual(80);
      expect(title).not.toMatch(/[\p{Cc}\u2028\u2029\p{Cs}]/u);
    }),
    { numRuns: 1000 },
  );
});

test("titleOf cuts a long sentence after a word", () => {
  const title = noteFormat.titleOf(aMemory({ content: "word ".repeat(40) }));
  expect(title).toMatch(/^(word )+word…$/);
});
