import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConflictKind, isContradiction } from "../../../src/text/conflicts/conflict.ts";
import { shippedRules } from "./rules.ts";

const { conflicts } = shippedRules();

const kinds = (a: string, b: string): ConflictKind[] => [
  ...new Set(conflicts(a, b).map((conflict) => conflict.kind)),
];

const CONTRADICTIONS: readonly [ConflictKind, string, string][] = [
  ["quantity", "Ben takes 5 mg of ramipril.", "Ben takes 10 mg of ramipril."],
  ["quantity", "The pool keeps 20 connections.", "The pool keeps 50 connections."],
  ["quantity", "The trip costs $300.", "The trip costs €300."],
  ["quantity", "Ann runs 5 km a day.", "Ann runs 5 miles a day."],
  [
    "quantity",
    "The plan includes two monitors and three desks.",
    "The plan includes three monitors and two desks.",
  ],
  ["quantity", "The report is sent daily to the board.", "The report is sent weekly to the board."],
  ["quantity", "The flat has a bedroom.", "The flat has two bedrooms."],
  ["duration", "Sessions expire after 30 minutes.", "Sessions expire after 2 hours."],
  ["date", "The audit starts on 15 Oct.", "The audit starts on 16 Oct."],
  ["date", "The lease ends in May 2026.", "The lease ends in May 2027."],
  ["date", "The review is on Monday.", "The review is on Thursday."],
  ["clock", "The call is at 5 PM.", "The call is at 8 PM."],
  ["clock", "Backups start at 02:00 UTC.", "Backups start at 04:30 UTC."],
  ["version", "The client speaks protocol v1.2.", "The client speaks protocol v1.3."],
  ["version", "The image ships Python 3.11.4.", "The image ships Python 3.12.1."],
  ["identifier", "Training runs on an A100.", "Training runs on an A10."],
  ["identifier", "The bucket lives in us-east-1.", "The bucket lives in eu-west-1."],
  ["identifier", "The car stands in garage B.", "The car stands in garage D."],
  ["identifier", "The service reads config/prod.yaml.", "The service reads config/dev.yaml."],
  ["negation", "Ola is allergic to nuts.", "Ola is not allergic to nuts."],
  ["negation", "The job retries failed uploads.", "The job never retries failed uploads."],
  ["negation", "The app needs a login.", "The app no longer needs a login."],
  ["negation", "Ola smokes.", "Ola stopped smoking."],
  ["negation", "Pushing to main is allowed.", "Pushing to main is not allowed."],
  ["antonym", "The gate is open at night.", "The gate is closed at night."],
  ["antonym", "Ola likes jazz.", "Ola hates jazz."],
  ["antonym", "The train to Lyon is late.", "The train from Lyon is late."],
  ["antonym", "Submit the form before the interview.", "Submit the form after the interview."],
  ["word_order", "Kim reports to Dave.", "Dave reports to Kim."],
  ["word_order", "Kim hired Dave.", "Kim was hired by Dave."],
  ["word_order", "The team prefers tabs over spaces.", "The team prefers spaces over tabs."],
  ["word_order", "The nurse called the baker.", "The baker called the nurse."],
  ["speaker_swap", "Ann: Bye, Bo!", "Bo: Bye, Ann!"],
  ["slot", "The shop stores orders in PostgreSQL.", "The shop stores orders in MySQL."],
  ["slot", "Ola moved to Oslo.", "Ola moved to Lisbon."],
  ["slot", "Ola works at Initech.", "Ola works at Hooli."],
  ["slot", "Ola commutes by bike.", "Ola commutes by car."],
  ["slot", "Ann is the lead of the search team.", "Bo is the lead of the search team."],
];

test.each(CONTRADICTIONS)("conflicts finds a %s conflict between %j and %j", (kind, a, b) => {
  expect(kinds(a, b)).toContain(kind);
  expect(kinds(b, a)).toContain(kind);
});

test.each([
  ["equal texts", "Ola likes tea.", "ola likes TEA"],
  ["more detail", "The service uses workers.", "The service uses 3 workers."],
  ["a time on one side only", "The sync is every Friday.", "The sync is every Friday at 5 PM."],
  [
    "the same amount in another unit",
    "The cache lives for 60 seconds.",
    "The cache lives for 1 minute.",
  ],
  ["the same price written otherwise", "The repair cost 12,000 euros.", "The repair cost EUR 12k."],
  ["the same day written otherwise", "The audit is on 15 Oct 2025.", "The audit is on 2025-10-15."],
  ["the same hour written otherwise", "The call is at 5 PM.", "The call is at 17:00."],
  ["a version that goes on", "It needs Python 3.11.", "It needs Python 3.11.4."],
  ["active and passive", "Kim hired Dave.", "Dave was hired by Kim."],
  ["a fronted phrase", "Kim met Dave in Paris.", "In Paris Kim met Dave."],
  ["joined names in another order", "Ann and Bo are cousins.", "Bo and Ann are cousins."],
  ["the same denial in other words", "The printer has no toner.", "The printer is out of toner."],
  ["a denied opposite", "The gate is not open.", "The gate is closed."],
  ["an equation turned round", "The capital of Peru is Lima.", "Lima is the capital of Peru."],
  ["hyphens and joined words", "The front end is kid-friendly.", "The frontend is kid friendly."],
  ["a sentence more", "Ola likes tea.", "Ola likes tea. Ola owns a kettle."],
  ["sentences in another order", "It rains. Ola sleeps.", "Ola sleeps. It rains."],
])("conflicts lets pass %s", (_name, a, b) => {
  expect(conflicts(a, b)).toEqual([]);
  expect(conflicts(b, a)).toEqual([]);
});

test("conflicts takes another nationality for another claim about one person, not for another person", () => {
  expect(kinds("A Thai chef runs the canteen.", "An Indian chef runs the canteen.")).toEqual([
    "slot",
  ]);
  expect(kinds("French is Ola's mother tongue.", "Turkish is Ola's mother tongue.")).toEqual([
    "slot",
  ]);
});

test.each([
  [
    "another value of a predicate that takes many",
    "Ola is allergic to peanuts.",
    "Ola is allergic to shellfish.",
  ],
  ["different subjects", "Ann's birthday is on April 12.", "Bo's birthday is on April 20."],
  [
    "periods that do not touch",
    "From 2015 to 2018 Ola lived in Oslo.",
    "Since 2020 Ola lives in Rome.",
  ],
])("conflicts keeps apart %s", (_name, a, b) => {
  expect(kinds(a, b)).toEqual(["distinct"]);
  expect(kinds(b, a)).toEqual(["distinct"]);
  expect(conflicts(a, b).some(isContradiction)).toBe(false);
});

test.each([
  ["a wish and a fact", "Ola moved to Rome.", "Ola wants to move to Rome."],
  ["an exception", "All routes need a token.", "All routes need a token except health."],
  ["the past and the present", "Ola was the treasurer.", "Ola is the treasurer."],
  [
    "words that no list knows",
    "The cat sleeps on the ottoman.",
    "The cat sleeps on the windowsill.",
  ],
  [
    "numbers that count different things",
    "The cluster has 3 nodes.",
    "The cluster has 12 volumes.",
  ],
])("conflicts is unsure about %s", (_name, a, b) => {
  expect(kinds(a, b)).toEqual(["unsure"]);
  expect(kinds(b, a)).toEqual(["unsure"]);
});

test.each([
  ["German", "Der Nutzer mag Tee und nicht Kaffee.", "Der Nutzer mag Kaffee und nicht Tee."],
  ["Chinese", "用户喜欢喝茶。", "用户喜欢喝咖啡。"],
  ["Russian", "Пользователь любит чай.", "Пользователь не любит чай."],
  ["Arabic", "المستخدم يحب الشاي", "المستخدم يحب القهوة"],
  ["two languages", "The user likes tea.", "L'utilisateur aime le thé et le café."],
])("conflicts is unsure about %s, which the rules cannot read", (_name, a, b) => {
  expect(kinds(a, b)).toEqual(["unsure"]);
});

test("conflicts does not mind one foreign name in an English text", () => {
  expect(conflicts("The user met 田中 in Berlin.", "The user met 田中 in Berlin in May.")).toEqual(
    [],
  );
});

test("conflicts tells where the texts disagree, in their own coordinates", () => {
  const a = "It is known. The pool keeps 20 connections.";
  const b = "The pool keeps 50 connections.";
  const [found] = conflicts(a, b);
  expect(found).toMatchObject({ kind: "quantity", a: { text: "20" }, b: { text: "50" } });
  expect(a.slice(found?.a.start, found?.a.end)).toBe("20");
  expect(b.slice(found?.b.start, found?.b.end)).toBe("50");
});

test("a similarity of words lets a replacement pass that means the same", () => {
  const alike = shippedRules((a, b) => (a.startsWith("stair") && b.startsWith("stair") ? 0.9 : 0));
  const [a, b] = ["Ola painted the stair green.", "Ola painted the staircase green."];
  expect(conflicts(a, b)).not.toEqual([]);
  expect(alike.conflicts(a, b)).toEqual([]);
});

test("a similarity of words claims a contradiction where one replaced word means something else", () => {
  const different = shippedRules(() => 0.1);
  const found = different.conflicts(
    "Ola keeps the spare key under the doormat.",
    "Ola keeps the spare key under the flowerpot.",
  );
  expect(found.map((conflict) => conflict.kind)).toEqual(["slot"]);
});

test("conflicts never claims a text contradicts a copy of itself", () => {
  fc.assert(
    fc.property(fc.constantFrom(...CONTRADICTIONS.flatMap(([, a, b]) => [a, b])), (text) => {
      expect(conflicts(text, `  ${text.toUpperCase()} `)).toEqual([]);
    }),
  );
});

test("conflicts survives any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
      expect(conflicts(a, b).every(({ confidence }) => confidence > 0 && confidence <= 1)).toBe(
        true,
      );
    }),
  );
});

interface HandmadePair {
  readonly a: string;
  readonly b: string;
  readonly label: "contradiction" | "paraphrase" | "related";
}

function handmadePairs(label: HandmadePair["label"]): HandmadePair[] {
  const file = new URL("../../fixtures/handmade-pairs.jsonl", import.meta.url);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  // The fixture is ours, one `HandmadePair` a line.
  return lines
    .map((line) => JSON.parse(line) as HandmadePair)
    .filter((pair) => pair.label === label);
}

test("conflicts blocks every handmade contradiction", () => {
  const free = handmadePairs("contradiction").filter(({ a, b }) => conflicts(a, b).length === 0);
  expect(free).toEqual([]);
});

test("conflicts claims at least 85% of the handmade contradictions and at most 8% of the paraphrases", () => {
  const claimed = (label: HandmadePair["label"]) => {
    const pairs = handmadePairs(label);
    return pairs.filter(({ a, b }) => conflicts(a, b).some(isContradiction)).length / pairs.length;
  };
  expect(claimed("contradiction")).toBeGreaterThanOrEqual(0.85);
  expect(claimed("paraphrase")).toBeLessThanOrEqual(0.08);
});
