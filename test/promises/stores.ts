import fc from "fast-check";
import { DAY_MS } from "../../src/model/instant.ts";
import type { Memory } from "../../src/model/memory.ts";
import type { Use } from "../../src/model/use.ts";
import { aMemory, aUse, BUILT_AT } from "../builders.ts";

/** The clock of every run in these tests: six weeks after the first memory. */
export const NOW = BUILT_AT + 42 * DAY_MS;

export interface StoreContent {
  readonly memories: readonly Memory[];
  readonly uses: readonly Use[];
}

const SUBJECTS = ["Mira", "Jonas", "The ledger service", "The deploy job", "The user"];
const FACTS = [
  "keeps its retry limit at 5",
  "keeps its retry limit at 8",
  "runs in eu-west-1 and writes to Postgres",
  "runs in us-east-1 and writes to Postgres",
  "prefers tabs over spaces in Go files",
  "does not prefer tabs over spaces in Go files",
  "restarts at 9:30 every Monday",
  "restarts at 10:00 every Monday",
  "met Priya yesterday to plan the Harbor launch",
  "reads `config/limits.yaml` before it starts",
];
const TAILS = [
  "",
  ".",
  "  ",
  " It has done so since March 2026.",
  " See https://example.org/runbook for more.",
];

/** Few building blocks, so that duplicates, containment, near-duplicates and contradictions all occur in small stores. */
const content = fc
  .record({
    subject: fc.constantFrom(...SUBJECTS),
    fact: fc.constantFrom(...FACTS),
    tail: fc.constantFrom(...TAILS),
    second: fc.option(fc.constantFrom(...FACTS), { nil: undefined, freq: 3 }),
  })
  .map(({ subject, fact, tail, second }) =>
    second === undefined
      ? `${subject} ${fact}${tail}`
      : `${subject} ${fact}. ${subject} ${second}${tail}`,
  );

const memoryFields = fc.record({
  content: fc.oneof(
    { weight: 9, arbitrary: content },
    { weight: 1, arbitrary: fc.string({ minLength: 1 }) },
  ),
  ageDays: fc.integer({ min: 0, max: 60 }),
  strength: fc.constantFrom(0.3, 1, 1.6),
  tags: fc.subarray(["ops", "people", "style"]),
  entities: fc.subarray(["Mira", "Postgres", "Harbor", "Go"]),
  pinned: fc.constantFrom(false, false, false, false, true),
  namespace: fc.constantFrom("default", "default", "other"),
  uses: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 6 }),
});

export const storeContent: fc.Arbitrary<StoreContent> = fc
  .array(memoryFields, { minLength: 1, maxLength: 24, size: "max" })
  .map((all) => ({
    memories: all
      .map((fields, index) =>
        aMemory({
          id: `m${String(index).padStart(2, "0")}`,
          namespace: fields.namespace,
          content: fields.content,
          createdAt: NOW - fields.ageDays * DAY_MS,
          strength: fields.strength,
          tags: fields.tags,
          entities: fields.entities,
          pinned: fields.pinned,
        }),
      )
      .filter((memory) => memory.content.trim() !== ""),
    uses: all.flatMap((fields, index) =>
      fields.uses.map((day, nth) =>
        aUse({
          id: `u${index}-${nth}`,
          namespace: fields.namespace,
          memoryId: `m${String(index).padStart(2, "0")}`,
          at: NOW - day * DAY_MS,
        }),
      ),
    ),
  }));
