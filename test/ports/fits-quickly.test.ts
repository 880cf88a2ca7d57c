import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { issueSchema } from "../../src/model/issue-schema.ts";
import { memorySchema } from "../../src/model/memory-schema.ts";
import { relationSchema } from "../../src/model/relation.ts";
import { journalEntrySchema, outboxItemSchema, runSchema } from "../../src/model/run.ts";
import { fitsQuickly } from "../../src/ports/fits-quickly.ts";
import {
  aJournalEntry,
  aMemory,
  anIssue,
  anOutboxItem,
  aRelation,
  aRun,
  BUILT_AT,
} from "../builders.ts";

const memory = aMemory({
  extra: { nested: { list: [1, null, "x"], yes: true }, empty: {} },
  confidence: 0.5,
  archivedAt: BUILT_AT,
  archivedReason: "merged",
  provenance: [{ agent: "importer", factId: "f1", at: BUILT_AT }],
});
const relation = aRelation({ reason: "share Maria", metadata: { shared: ["Maria"] } });
const issue = anIssue({ comments: [{ author: "person:ann", at: BUILT_AT, text: "why?" }] });

const RECORDS: readonly (readonly [string, z.ZodType, object])[] = [
  ["memory", memorySchema, memory],
  ["relation", relationSchema, relation],
  ["issue", issueSchema, issue],
  ["run", runSchema, aRun({ finishedAt: BUILT_AT + 5, notes: ["no vault"] })],
  [
    "journal",
    journalEntrySchema,
    aJournalEntry({
      changes: [
        { kind: "memory.put", before: null, after: memory },
        { kind: "relation.put", before: relation, after: relation },
        { kind: "issue.put", before: null, after: issue },
        { kind: "note.put", path: "a.md", before: null, after: { text: "# A\n" } },
        { kind: "note.move", from: "a.md", to: "b.md" },
      ],
    }),
  ],
  ["outbox", outboxItemSchema, anOutboxItem({ paths: [{ path: "a.md", hash: null }] })],
];

test.each(RECORDS)(
  "every %s that stands in a store is known to fit without zod",
  (_, schema, record) => {
    expect(fitsQuickly(schema, record)).toBe(true);
  },
);

/** Values that one field or another must not have. */
const odd = fc.oneof(
  fc.constantFrom(undefined, null, "", " ", 0, -1, 1.5, 2, Number.NaN, Infinity, 2 ** 53, 1e16),
  fc.constantFrom(
    [],
    {},
    [undefined],
    [null],
    Object.assign(["x"], { length: 3 }),
    [[]],
    { a: undefined },
    { at: 1 },
  ),
  fc.constantFrom(new Date(0), new Map(), () => 0, 1n, Symbol.iterator, "x".repeat(600), true),
  fc.jsonValue(),
);

/** Where in a record a value stands. */
function placesOf(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...at, key]))];
}

function withValueAt(value: unknown, at: readonly string[], odd: unknown): unknown {
  const [key, ...rest] = at;
  if (key === undefined) return odd;
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value);
  copy[key] = withValueAt(copy[key], rest, odd);
  return copy;
}

test.each(RECORDS)("no %s with an odd value passes that zod refuses", (_, schema, record) => {
  const places = placesOf(record);
  const names = fc.constantFrom(
    "extra",
    "closedAt",
    "undone",
    "error",
    "gates",
    "mergedHash",
    "new",
  );
  const place = fc.oneof(
    fc.constantFrom(...places),
    names.map((name) => [name]),
  );
  fc.assert(
    fc.property(place, odd, (at, value) => {
      const changed = withValueAt(record, at, value);
      if (fitsQuickly(schema, changed)) expect(schema.safeParse(changed).success).toBe(true);
    }),
    { numRuns: 1500 },
  );
});

test("what asks for more than a kind and bounds is left to zod", () => {
  const asking: readonly (readonly [z.ZodType, unknown])[] = [
    [z.string().regex(/^a/), "a"],
    [z.email(), "a@b.example"],
    [z.string().refine((text) => text !== "b"), "a"],
    [z.number().multipleOf(2), 2],
    [z.number().gt(0), 1],
    [z.array(z.string()).min(1), ["a"]],
    [z.strictObject({ a: z.string() }), { a: "a" }],
    [z.object({ a: z.string() }).refine(() => true), { a: "a" }],
    [z.record(z.enum(["a", "b"]), z.string()), { a: "x", b: "y" }],
    [z.xor([z.string(), z.literal("a")]), "b"],
    [z.string().transform(Number), "1"],
    [z.date(), new Date(0)],
    [z.unknown(), 1],
  ];
  for (const [schema, value] of asking) {
    expect(schema.safeParse(value).success).toBe(true);
    expect(fitsQuickly(schema, value)).toBe(false);
  }
});
