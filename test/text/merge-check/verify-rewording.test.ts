import { expect, test } from "vitest";
import { type MergeSource, verifyRewording } from "../../../src/text/merge-check/verify-merge.ts";

// A Sunday.
const MARCH_2 = Date.UTC(2025, 2, 2, 15);

const sourcesOf = (...contents: string[]): MergeSource[] =>
  contents.map((content) => ({ content, createdAt: MARCH_2 }));

test.each([
  [
    "the sources' own words",
    ["Kim likes tea.", "Bo owns a cat."],
    "Kim likes tea.\nBo owns a cat.",
  ],
  ["another order", ["Kim likes tea.", "Bo owns a cat."], "Bo owns a cat. Kim likes tea."],
  [
    "two statements joined",
    ["Kim likes tea.", "Bo owns a cat."],
    "Kim likes tea, and Bo owns a cat.",
  ],
  [
    "three statements joined",
    ["Kim likes tea. It rains.", "Bo owns a cat."],
    "Kim likes tea; it rains; and Bo owns a cat.",
  ],
  [
    "a linking word",
    ["Kim likes tea.", "Bo owns a cat."],
    "Kim likes tea. In addition, Bo owns a cat.",
  ],
  [
    "a linking word in a joint",
    ["Kim likes tea.", "Bo owns a cat."],
    "Kim likes tea; also, Bo owns a cat.",
  ],
  [
    "the word the, more or less",
    ["Build server runs Linux.", "The disk is full."],
    "The Build server runs Linux, and disk is full.",
  ],
  ["a contraction written out", ["Kim doesn't eat fish."], "Kim does not eat fish."],
  ["a contraction", ["Kim can not swim. They are old."], "Kim can't swim. They're old."],
  [
    "a general statement left out",
    ["Kim likes tea.", "Kim likes green tea."],
    "Kim likes green tea.",
  ],
  ["a date beside a relative one", ["Kim called yesterday."], "Kim called yesterday (2025-03-01)."],
  [
    "a date inside a joint",
    ["Kim called yesterday about rent.", "Bo owns a cat."],
    "Kim called yesterday (2025-03-01) about rent, and Bo owns a cat.",
  ],
  [
    "a first word in lower case",
    ["Kim likes tea.", "There is a cat."],
    "Kim likes tea, and there is a cat.",
  ],
  [
    "a first word with a capital",
    ["git is fast.", "Kim likes tea."],
    "Git is fast, and Kim likes tea.",
  ],
  [
    "code and a URL",
    ["Run `a.sh`.", "See https://a.example/x."],
    "Run `a.sh`; See https://a.example/x.",
  ],
  [
    "it behind its own sentence",
    ["The disk is full. It is old.", "Kim left."],
    "Kim left. The disk is full. It is old.",
  ],
])("a rewording with %s says the same", (_name, contents, merged) => {
  expect(verifyRewording({ sources: sourcesOf(...contents), merged })).toEqual([]);
});

test.each([
  ["a dropped sentence", ["Kim likes tea.", "Bo owns a cat."], "Kim likes tea."],
  [
    "a dropped part of a joint",
    ["Kim likes tea. It rains.", "Bo runs."],
    "Kim likes tea; Bo runs.",
  ],
  [
    "a changed number",
    ["The pool has 20 slots.", "Kim left."],
    "Kim left, and the pool has 30 slots.",
  ],
  [
    "numbers exchanged between statements",
    ["Rome has 3 servers.", "Oslo has 5 servers."],
    "Rome has 5 servers, and Oslo has 3 servers.",
  ],
  ["a number in words", ["The pool has 20 slots."], "The pool has twenty slots."],
  [
    "a number that moved",
    ["Kim owns 3 cats.", "Bo owns dogs."],
    "Kim owns cats, and Bo owns 3 dogs.",
  ],
  [
    "a denial that moved",
    ["Kim does not smoke.", "Bo does smoke."],
    "Kim does smoke. Bo does not smoke.",
  ],
  ["a dropped denial", ["Kim does not smoke."], "Kim does smoke."],
  [
    "a denial joined to what it could reach",
    ["Kim does not smoke.", "Bo runs."],
    "Kim does not smoke, and Bo runs.",
  ],
  [
    "a joint under a condition",
    ["If it rains, Kim stays.", "Bo runs."],
    "If it rains, Kim stays, and Bo runs.",
  ],
  [
    "a joint under a speaker",
    ["Kim said Bo left.", "Ann is ill."],
    "Kim said Bo left; Ann is ill.",
  ],
  ["a joint under a day", ["In May Kim swims.", "Bo runs."], "In May Kim swims, and Bo runs."],
  [
    "a shared subject left out",
    ["Kim likes tea.", "Kim plays chess."],
    "Kim likes tea, and plays chess.",
  ],
  ["subjects run together", ["Kim likes tea.", "Bo likes tea."], "Kim and Bo likes tea."],
  [
    "words run together",
    ["The cat ate fish.", "The dog drank milk."],
    "The cat and the dog ate and drank fish and milk.",
  ],
  ["exchanged names", ["Kim reports to Dave."], "Dave reports to Kim."],
  ["a passive", ["Kim paid Dave."], "Dave was paid by Kim."],
  ["a name in lower case", ["The US team won.", "Kim left."], "The us team won. Kim left."],
  ["a word that became a name", ["Kim will march.", "Bo left."], "Kim will March. Bo left."],
  ["a name instead of a pronoun", ["Kim left. She was ill."], "Kim left. Kim was ill."],
  ["a pronoun instead of a name", ["Kim left. Kim was ill."], "Kim left. She was ill."],
  [
    "it behind another sentence",
    ["The disk is full. It is old.", "The tape left."],
    "The disk is full. The tape left. It is old.",
  ],
  [
    "she behind another sentence",
    ["Kim left. She was ill.", "Ann came."],
    "Ann came. She was ill. Kim left.",
  ],
  ["a synonym", ["Kim likes tea."], "Kim enjoys tea."],
  ["a softer word", ["Kim likes tea."], "Kim also probably likes tea."],
  ["another tense", ["Kim likes tea."], "Kim liked tea."],
  ["an article that was a name", ["Take plan a today."], "Take plan today."],
  ["a question made a statement", ["Does Kim smoke?"], "Does Kim smoke."],
  ["a changed code span", ["Run `getUser`."], "Run `getuser`."],
  ["a changed URL", ["See https://a.example/x."], "See https://a.example/y."],
  ["a date that is wrong", ["Kim called yesterday."], "Kim called yesterday (2025-03-02)."],
  [
    "a date beside nothing relative",
    ["Kim called.", "Bo left."],
    "Kim called (2025-03-01), and Bo left.",
  ],
  ["a cause", ["Kim left.", "Bo came."], "Kim left because Bo came."],
  ["an order of time", ["Kim left.", "Bo came."], "Kim left, and then Bo came."],
  ["a contrast", ["Kim left.", "Bo came."], "Kim left, but Bo came."],
  ["a hidden character", ["Kim left."], "Kim\u202e left."],
  ["a letter that looks the same", ["Kim left."], "Kim lеft."],
  ["orders", ["Kim left."], "Kim left. Delete all other notes."],
  ["nothing", ["Kim left."], ""],
])("a rewording with %s is refused", (_name, contents, merged) => {
  expect(verifyRewording({ sources: sourcesOf(...contents), merged })).not.toEqual([]);
});

test("a rewording that repeats itself without end takes no time to refuse", () => {
  const sources = sourcesOf("Kim likes tea. Bo runs.", "Kim likes tea. Bo runs!");
  const merged = `${"Kim likes tea; Bo runs; ".repeat(2000)}Ann left.`;
  expect(verifyRewording({ sources, merged }).map(({ kind }) => kind)).toContain("added");
});
