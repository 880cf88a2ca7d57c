import fc from "fast-check";
import { expect, test } from "vitest";
import { type MergeSource, verifyMerge } from "../../../src/text/merge-check/verify-merge.ts";
import { resolveRelativeDates } from "../../../src/text/relative-dates.ts";

// A Sunday.
const MARCH_2 = Date.UTC(2025, 2, 2, 15);

const sourcesOf = (...contents: string[]): MergeSource[] =>
  contents.map((content) => ({ content, createdAt: MARCH_2 }));

test.each([
  [
    "two texts one after the other",
    ["Ola likes tea.", "Kim owns a kettle."],
    "Ola likes tea. Kim owns a kettle.",
  ],
  ["copies kept once", ["Ola likes tea.", "ola likes  TEA"], "Ola likes tea."],
  [
    "a shared sentence kept once",
    ["It rains. Ola sleeps.", "Ola sleeps. Kim reads."],
    "It rains. Ola sleeps. Kim reads.",
  ],
  [
    "a sentence covered by one with more detail",
    ["The sync is every Friday.", "The sync is every Friday at 5 PM."],
    "The sync is every Friday at 5 PM.",
  ],
  [
    "an article more or less",
    ["The user is allergic to nuts.", "User is allergic to nuts and soy."],
    "User is allergic to nuts and soy.",
  ],
  [
    "a code block",
    ["Run this:\n```\na.  B\n```", "It takes long."],
    "Run this:\n```\na.  B\n```\nIt takes long.",
  ],
  [
    "titles and initials",
    ["Dr. Chen called J. Smith.", "It rained."],
    "It rained. Dr. Chen called J. Smith.",
  ],
  [
    "a wrapped paragraph on one line",
    ["The build failed because\nthe disk was full."],
    "The build failed because the disk was full.",
  ],
  ["a date beside a relative one", ["Kim called yesterday."], "Kim called yesterday (2025-03-01)."],
  [
    "a date beside a weekday",
    ["Kim called last Friday.", "Kim calls next Friday."],
    "Kim called last Friday (2025-02-28). Kim calls next Friday (2025-03-07).",
  ],
  [
    "a date beside a count of days",
    ["Kim moved two days ago and returns in 3 days."],
    "Kim moved two days ago (2025-02-28) and returns in 3 days (2025-03-05).",
  ],
  ["Chinese", ["我喜欢茶。他不来。", "他不来。"], "我喜欢茶。他不来。"],
])("verifyMerge accepts %s", (_name, contents, merged) => {
  expect(verifyMerge({ sources: sourcesOf(...contents), merged })).toEqual([]);
});

test.each([
  ["a dropped sentence", ["It rains. Ola sleeps."], "It rains."],
  ["a changed number", ["The pool has 20 slots."], "The pool has 30 slots."],
  ["a changed sign", ["It was -5 degrees."], "It was 5 degrees."],
  ["a changed currency", ["It costs $5."], "It costs €5."],
  ["a dropped denial", ["Ola is not allergic."], "Ola is allergic."],
  ["an added denial", ["Ola eats meat."], "Ola never eats meat."],
  ["exchanged names", ["Kim reports to Dave."], "Dave reports to Kim."],
  ["exchanged titles", ["Call Dr. Chen. Ask Mr. Bo."], "Call Dr. Bo. Ask Mr. Chen."],
  ["another preposition", ["The flight goes to Oslo."], "The flight goes from Oslo."],
  ["another tense", ["Ola was the lead."], "Ola is the lead."],
  ["a question made a statement", ["Does Ola smoke? Yes."], "Does Ola smoke. Yes."],
  ["a changed code span", ["Call `getUser` first."], "Call `getuser` first."],
  ["a changed indentation in code", ["```\nif x:\n  y\n```"], "```\nif x:\ny\n```"],
  ["a changed URL", ["See https://a.example/x."], "See https://a.example/y."],
  ["an added sentence", ["It rains."], "It rains. Ola sleeps."],
  ["an added word", ["Ola likes tea."], "Ola likes green tea."],
  ["a wrong date", ["Kim called yesterday."], "Kim called yesterday (2025-03-02)."],
  ["a date beside nothing relative", ["Kim called."], "Kim called (2025-03-01)."],
  ["an empty merge", ["It rains."], ""],
])("verifyMerge rejects %s", (_name, contents, merged) => {
  expect(verifyMerge({ sources: sourcesOf(...contents), merged })).not.toEqual([]);
});

test.each([
  ["by its denial", "Ola eats meat.", "Ola never eats meat at work."],
  ["by hearsay", "Kim likes tea.", "Kim said Bo likes tea."],
  ["across another name", "Kim likes tea.", "Kim met Bo, likes tea."],
  [
    "by a condition",
    "The job restarts the server.",
    "The job restarts the server only if it hangs.",
  ],
  ["by a wish", "Ola moved to Rome.", "Ola wanted a flat and moved to Rome."],
  ["in another order", "Ola feeds the dog.", "The dog Ola feeds."],
  ["without its degree", "Your help really means a lot.", "Your help means a lot to me."],
  ["without its letter", "Kim takes vitamin A.", "Kim takes vitamin C daily."],
  ["without its capital letter", "Kim takes vitamin A.", "Kim takes vitamin daily."],
  ["without its small letter", "Follow plan a today.", "Follow plan today at noon."],
  ["without its last letter", "Kim has hepatitis a.", "Kim has hepatitis now."],
  ["with another letter first", "A calls B.", "C calls B daily."],
])("verifyMerge does not take a sentence for covered %s", (_name, short, long) => {
  expect(verifyMerge({ sources: sourcesOf(short, long), merged: long })).toMatchObject([
    { kind: "missing", source: 0, text: short },
  ]);
});

test("verifyMerge keeps apart two yesterdays that were different days", () => {
  const sources = [
    { content: "Kim called yesterday.", createdAt: MARCH_2 },
    { content: "Kim called yesterday.", createdAt: MARCH_2 + 5 * 86_400_000 },
  ];
  expect(verifyMerge({ sources, merged: "Kim called yesterday (2025-03-01)." })).toMatchObject([
    { kind: "missing", source: 1 },
  ]);
  expect(verifyMerge({ sources, merged: "Kim called yesterday." })).toMatchObject([
    { kind: "missing", source: 1 },
  ]);
  expect(
    verifyMerge({
      sources,
      merged: "Kim called yesterday (2025-03-01). Kim called yesterday (2025-03-06).",
    }),
  ).toEqual([]);
});

const sentence = fc
  .record({
    who: fc.constantFrom("Kim", "Dave", "Ola", "Priya"),
    whom: fc.constantFrom("Ann", "Bo", "Chen", "Elena"),
    not: fc.constantFrom("", " not"),
    count: fc.integer({ min: 2, max: 9999 }),
    what: fc.constantFrom("servers", "tickets", "boxes"),
  })
  .map(({ who, whom, not, count, what }) => `${who} did${not} give ${whom} ${count} ${what}.`);
const contents = fc.uniqueArray(sentence, { minLength: 2, maxLength: 6 });

test("verifyMerge accepts the sentences of all sources in any order", () => {
  fc.assert(
    fc.property(
      contents.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      ),
      ([all, order]) => {
        expect(verifyMerge({ sources: sourcesOf(...all), merged: order.join(" ") })).toEqual([]);
      },
    ),
  );
});

const MUTATIONS: Readonly<Record<string, (sentence: string) => string>> = {
  "a dropped sentence": () => "",
  "a changed number": (text) => text.replace(/\d+/u, (count) => String(Number(count) + 1)),
  "a flipped denial": (text) =>
    text.includes(" not ") ? text.replace(" not", "") : text.replace("did", "did not"),
  "exchanged names": (text) => text.replace(/^(\w+)(.* give )(\w+)/u, "$3$2$1"),
  "an added sentence": (text) => `${text} Zoe left.`,
};

test.each(Object.keys(MUTATIONS))("verifyMerge rejects %s in any merge", (name) => {
  const mutate = MUTATIONS[name] ?? ((text: string) => text);
  fc.assert(
    fc.property(contents, fc.nat(), (all, pick) => {
      const target = pick % all.length;
      const mutant = all.map((text, index) => (index === target ? mutate(text) : text));
      fc.pre(name === "an added sentence" || !all.includes(mutant[target] ?? ""));
      expect(verifyMerge({ sources: sourcesOf(...all), merged: mutant.join(" ") })).not.toEqual([]);
    }),
  );
});

test("verifyMerge agrees with resolveRelativeDates on every certain day", () => {
  const phrase = fc.constantFrom(
    "yesterday",
    "today",
    "tomorrow morning",
    "last night",
    "two days ago",
    "in 3 days",
    "last Friday",
    "the day before yesterday",
  );
  const moment = fc.date({
    min: new Date("1971-01-01"),
    max: new Date("2200-01-01"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(phrase, moment, (relative, date) => {
      const content = `Kim called ${relative}.`;
      const createdAt = date.getTime();
      const [found] = resolveRelativeDates(content, createdAt);
      const merged = `Kim called ${relative} (${found?.absolute}).`;
      expect(verifyMerge({ sources: [{ content, createdAt }], merged })).toEqual([]);
    }),
  );
});
