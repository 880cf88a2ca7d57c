import { expect, test } from "vitest";
import { aSubject } from "./a-subject.ts";
import { checkFixpoint } from "./check-fixpoint.ts";
import { checkRoundTrip } from "./check-round-trip.ts";
import { bodyOf, propertiesOf, textOf } from "./note-text.ts";

test("compose writes a note that a person could have written", () => {
  const subject = aSubject(
    { tags: ["health", "#work"], provenance: [{ agent: "claude", factId: "f1", at: 0 }] },
    {
      links: [
        { path: "Memories/Semantic/Primer 1.md", title: "Primer #1", relationType: "related" },
        { path: "Memories/Semantic/Clinic.md", title: "Clinic", relationType: "contradicts" },
      ],
      sources: [
        { id: "m0", content: "Maria: no\npenicillin", createdAt: 0, source: "chat" },
        { id: "m1", content: "She told the clinic.", createdAt: 86_400_000 },
      ],
    },
  );
  expect(textOf(subject)).toMatchInlineSnapshot(`
    "---
    title: Maria is allergic to penicillin
    aliases:
      - Maria is allergic to penicillin
    tags:
      - health
      - work
    id: m1
    kind: semantic
    entities:
      - Maria
    created: "2026-03-02T09:30:00Z"
    promoted: "2026-03-12T03:00:00Z"
    why: "5 uses in 14 days"
    score: 0.833
    sources:
      - m0
      - m1
    pinned: false
    slowwave-hash: a8cf9520bbf6-4977f4ebddb1-4977f4ebddb1-87f93365e38b-cedeba50af33
    ---
    %% slowwave:begin %%

    Maria is allergic to penicillin. She told the clinic.

    ## Related

    - [[Memories/Semantic/Primer 1|Primer #1]]
    - [[Memories/Semantic/Clinic|Clinic]] (contradicts)

    > [!info]- Where this comes from
    > - 1970-01-01, chat: Maria: no penicillin
    > - 1970-01-02: She told the clinic.
    > - Stated by claude on 1970-01-01 as f1
    > - Promoted on 2026-03-12: 5 uses in 14 days (score 0.833)

    %% slowwave:end %%
    "
  `);
});

test("compose gives the keys of a note, with types that every reader agrees on", () => {
  expect(propertiesOf(textOf(aSubject()))).toEqual({
    title: "Maria is allergic to penicillin",
    aliases: ["Maria is allergic to penicillin"],
    tags: ["health"],
    id: "m1",
    kind: "semantic",
    entities: ["Maria"],
    created: "2026-03-02T09:30:00Z",
    promoted: "2026-03-12T03:00:00Z",
    why: "5 uses in 14 days",
    score: 0.833,
    sources: ["m1"],
    pinned: false,
    "slowwave-hash": expect.any(String),
  });
});

test.each([
  "Plan: phase two",
  "*starred",
  "[[x]]y",
  "`C:\\dir`",
  "no",
  "yes",
  "on",
  "y",
  "null",
  "~",
  "000032",
  "007",
  "2026",
  "1e3",
  "0x1F",
  "0o17",
  "1_000",
  ".inf",
  "2026-05-13",
  "2026-05-13T20:00:00-04:00",
  "12:30",
  "- dash",
  "# hash",
  "a #b",
  "@at",
  "%percent",
  "{a: 1}",
  "| pipe",
  "> fold",
  "'single' \"double\"",
  "---",
  "...",
  "!!str x",
  "&anchor",
  "<<",
  "=",
  "line\u2028separator",
  "\u0085next",
])("compose keeps %j as the same string in properties", (text) => {
  const data = propertiesOf(textOf(aSubject({ entities: [text], id: text }, { why: text })));
  expect(data).toMatchObject({ id: text, why: text.replace(/[\u0085\u2028]/g, " ").trim() });
  expect(data.entities).toEqual([text.replace(/[\u0085\u2028]/g, " ").trim()]);
});

test("compose collapses a title with a line break, and finds its own note again", () => {
  const subject = aSubject({ extra: { title: "two\nlines" } });
  const text = textOf(subject);
  expect(propertiesOf(text).title).toBe("two lines");
  expect(textOf(subject, text)).toBe(text);
});

test("compose writes tags that Obsidian accepts: strings without #, spaces or digits alone", () => {
  const tags = [
    "#work",
    "2026",
    "007",
    "no",
    "deep work",
    "a/b",
    "Work",
    "C++",
    "",
    "#",
    "日本",
    "🎉",
  ];
  expect(propertiesOf(textOf(aSubject({ tags }))).tags).toEqual([
    "work",
    "y2026",
    "y007",
    "no",
    "deep-work",
    "a/b",
    "C",
    "日本",
    "🎉",
  ]);
});

test.each([
  "---\nreplicas: 3\n---\ntext",
  "---\\nstatus: x\\n---\\nbody",
  "Setext\n---\nmore",
  "    indented code",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "```yaml\n---\na: %%\n---\n```",
  "`%%` in code",
  "> quoted\n> text",
])("compose keeps the content %j byte for byte, and it adds no property", (content) => {
  const text = textOf(aSubject({ content }));
  expect(bodyOf(text)).toContain(`%% slowwave:begin %%\n\n${content}\n\n`);
  expect(Object.keys(propertiesOf(text))).toHaveLength(13);
});

test.each([
  ["100%% sure %%hidden%%", "100%\\% sure %\\%hidden%\\%"],
  ["a\r\nb", "a\nb"],
  ["%% slowwave:end %%", "%\\% slowwave:end %\\%"],
  ["```\n%% slowwave:end %%\n```", "```\n%\\% slowwave:end %%\n```"],
  ["<!-- hidden", "\\<!-- hidden"],
  ["- <script>", "- \\<script>"],
  ["```\nnever closed", "````text\n```\nnever closed\n````"],
  ["half \ud83d pair", "half \ufffd pair"],
])("compose writes the content %j as %j", (content, expected) => {
  expect(bodyOf(textOf(aSubject({ content })))).toContain(
    `%% slowwave:begin %%\n\n${expected}\n\n> [!info]- Where this comes from\n`,
  );
});

test("compose links by path with a title that cannot break the link", () => {
  const links = [
    { path: "Memories/Semantic/a.md", title: "x | y [z] %%", relationType: "related" },
    { path: "People/a#b (1)?.md", title: "odd", relationType: "related" },
  ];
  const body = bodyOf(textOf(aSubject({}, { links })));
  expect(body).toContain("- [[Memories/Semantic/a|x - y (z) %]]\n");
  expect(body).toContain("- [odd](<People/a%23b%20(1)%3F.md>)\n");
});

test("compose says nothing of related notes where there are none", () => {
  expect(textOf(aSubject())).not.toContain("Related");
});

test("titles and contents of all kinds round-trip through files unchanged", async () => {
  await checkRoundTrip(1000);
});

test("compose is a fixpoint on what it wrote, with LF and CRLF, whatever the memory holds", () => {
  checkFixpoint(1000);
});
