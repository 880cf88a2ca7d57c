import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { normalizeText } from "../../src/text/normalize.ts";
import { splitSentences } from "../../src/text/sentences.ts";

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse("2026-03-02T00:00:00Z");
const CLOCK = Date.parse("2026-04-13T03:00:00Z");
const WINDOW_START = CLOCK - 14 * DAY_MS;

const demoId = z.string().regex(/^demo-\d{4}$/);
const groupsSchema = z.array(z.array(demoId).min(2).max(4));

const memorySchema = z.strictObject({
  id: demoId,
  content: z.string().min(1),
  meta: z.strictObject({
    tags: z.array(z.string().min(1)).min(1),
    source: z.string().min(1),
    context: z.string().nullable(),
    extra: z.record(z.string(), z.json()),
  }),
  created_at: z.int(),
  last_used: z.int(),
  use_count: z.literal(0),
  strength: z.number().positive().max(2),
  status: z.literal("active"),
  promoted_at: z.null(),
  promoted_to: z.null(),
  entities: z.array(z.string().min(1)),
  review_priority: z.literal(0),
  last_review_at: z.null(),
  review_count: z.literal(0),
  cross_domain_count: z.literal(0),
});

const relationSchema = z.strictObject({
  id: z.string().regex(/^demo-rel-\d{2}$/),
  from_memory_id: demoId,
  to_memory_id: demoId,
  relation_type: z.literal("related"),
  strength: z.number().min(0).max(1),
  created_at: z.int(),
  metadata: z.strictObject({}),
});

const useSchema = z.strictObject({
  memory_id: demoId,
  at: z.iso.datetime(),
  kind: z.enum(["recall", "touch"]),
});

const expectSchema = z.strictObject({
  duplicates: groupsSchema,
  containment: groupsSchema,
  paraphrases: groupsSchema,
  contradictions: groupsSchema,
  chatter: z.array(demoId),
  promotable: z.array(demoId),
  secret: z.array(demoId),
  successions: groupsSchema,
  additions: groupsSchema,
  refused: z.array(demoId),
  disputed: z.array(demoId),
  promotableAfterMerge: groupsSchema,
});

test("every memory has an id, a text and a time of its own place in the six weeks", () => {
  const { memories } = readDemo();
  expect(memories.length).toBeGreaterThanOrEqual(140);
  expect(memories.length).toBeLessThanOrEqual(170);
  expect(new Set(memories.map((memory) => memory.id)).size).toBe(memories.length);
  const times = memories.map((memory) => memory.created_at * 1000);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(FIRST_DAY);
  expect(Math.max(...times)).toBeLessThan(Date.parse("2026-04-13T00:00:00Z"));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(memories.filter((memory) => memory.last_used !== memory.created_at)).toEqual([]);
});

test("some memories bring entities, and many leave them to the import", () => {
  const { memories } = readDemo();
  const filled = memories.filter((memory) => memory.entities.length > 0);
  expect(filled.length).toBeGreaterThanOrEqual(40);
  expect(memories.length - filled.length).toBeGreaterThanOrEqual(40);
});

test("each use follows the creation of its memory and precedes the clock", () => {
  const { uses, memory } = readDemo();
  expect(uses.length).toBeGreaterThanOrEqual(220);
  const misplaced = uses.filter(
    (use) =>
      Date.parse(use.at) <= memory(use.memory_id).created_at * 1000 || Date.parse(use.at) >= CLOCK,
  );
  expect(misplaced).toEqual([]);
  expect(new Set(uses.map((use) => `${use.memory_id} ${use.at}`)).size).toBe(uses.length);
});

test("each relation joins two memories that existed when it was made", () => {
  const { relations, memory } = readDemo();
  expect(relations.length).toBeGreaterThanOrEqual(5);
  expect(new Set(relations.map((relation) => relation.id)).size).toBe(relations.length);
  for (const relation of relations) {
    const from = memory(relation.from_memory_id);
    const to = memory(relation.to_memory_id);
    expect(from.id).not.toBe(to.id);
    expect(relation.created_at).toBeGreaterThan(Math.max(from.created_at, to.created_at));
    expect(relation.created_at * 1000).toBeLessThan(CLOCK);
  }
});

test("expect.json names existing memories, each in one category", () => {
  const { expected, memory } = readDemo();
  // Both are views of members of another category.
  const { disputed, promotableAfterMerge, ...categories } = expected;
  const ids = Object.values(categories).flat(2);
  for (const id of [...ids, ...disputed, ...promotableAfterMerge.flat()]) memory(id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(expected.contradictions.flat()).toEqual(expect.arrayContaining(disputed));
  expect(expected.duplicates).toEqual(expect.arrayContaining(promotableAfterMerge));
});

test("expect.json has as many of each category as the demo needs", () => {
  const { expected } = readDemo();
  const counts = Object.entries(expected).map(([name, members]) => [name, members.length]);
  expect(Object.fromEntries(counts)).toEqual({
    duplicates: 12,
    containment: 10,
    paraphrases: 11,
    contradictions: 12,
    chatter: 17,
    promotable: 21,
    secret: 1,
    successions: 2,
    additions: 2,
    refused: 2,
    disputed: 1,
    promotableAfterMerge: 1,
  });
  expect(expected.paraphrases.flat().length).toBeGreaterThanOrEqual(25);
});

test("only the members of a duplicate group have the same comparison form", () => {
  const { expected, memories } = readDemo();
  const forms = memories.map(({ id, content }) => ({ id, form: normalizeText(content) }));
  const found = forms
    .map(({ form }) => forms.filter((other) => other.form === form).map(({ id }) => id))
    .filter((group) => group.length > 1);
  expect(new Set(found.map(String))).toEqual(new Set(expected.duplicates.map(String)));
});

test("only the pairs of the containment category stand one inside the other", () => {
  const { expected, memories } = readDemo();
  const parts = memories.map(({ id, content }) => ({
    id,
    sentences: new Set(splitSentences(content).map(normalizeText)),
  }));
  const found = parts.flatMap((short) =>
    parts
      .filter((long) => short.sentences.size < long.sentences.size)
      .filter((long) => [...short.sentences].every((sentence) => long.sentences.has(sentence)))
      .map((long) => [short.id, long.id]),
  );
  expect(new Set(found.map(String))).toEqual(new Set(expected.containment.map(String)));
});

test("chatter is of the first three weeks, never used, unrelated, and below the forget threshold", () => {
  const { expected, uses, relations, memory } = readDemo();
  const touched = new Set([
    ...uses.map((use) => use.memory_id),
    ...relations.flatMap((relation) => [relation.from_memory_id, relation.to_memory_id]),
  ]);
  for (const id of expected.chatter) {
    const { created_at, strength } = memory(id);
    expect(touched).not.toContain(id);
    expect(created_at * 1000).toBeLessThan(FIRST_DAY + 21 * DAY_MS);
    expect(scoreAt({ lastUsedAt: created_at * 1000, useCount: 0, strength })).toBeLessThan(0.05);
  }
});

test("used five times in the last fourteen days are memories of the named categories alone", () => {
  const { expected, recentUses, memories } = readDemo();
  const wellUsed = memories.map(({ id }) => id).filter((id) => recentUses(id) >= 5);
  const named = [expected.promotable, expected.secret, expected.refused, expected.disputed].flat();
  expect(wellUsed.length).toBeGreaterThanOrEqual(18);
  expect(named).toEqual(expect.arrayContaining(wellUsed));
  for (const id of [expected.secret, expected.refused, expected.disputed].flat()) {
    expect(recentUses(id)).toBeGreaterThanOrEqual(5);
  }
});

test("promotable memories, and no others outside merge groups, pass the gate on uses or score", () => {
  const { expected, recentUses, memories, usesOf } = readDemo();
  const passing = memories.filter(({ id, created_at, strength }) => {
    const times = usesOf(id).map((use) => Date.parse(use.at));
    if (times.length === 0) return false;
    const lastUsedAt = Math.max(created_at * 1000, ...times);
    return recentUses(id) >= 5 || scoreAt({ lastUsedAt, useCount: times.length, strength }) >= 0.65;
  });
  const { promotable, secret, refused, disputed, promotableAfterMerge } = expected;
  const named = [promotable, secret, refused, disputed, promotableAfterMerge.flat()].flat();
  expect(new Set(passing.map(({ id }) => id))).toEqual(new Set(named));
});

test("copies that are promotable after their merge reach five uses only together", () => {
  const { expected, recentUses } = readDemo();
  for (const group of expected.promotableAfterMerge) {
    const counts = group.map(recentUses);
    expect(Math.max(...counts)).toBeLessThan(5);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(5);
  }
});

test("about forty memories are a little used and most were never used", () => {
  const { memories, usesOf } = readDemo();
  const counts = memories.map(({ id }) => usesOf(id).length);
  const littleUsed = counts.filter((count) => count > 0 && count < 5).length;
  expect(littleUsed).toBeGreaterThanOrEqual(35);
  expect(littleUsed).toBeLessThanOrEqual(55);
  expect(counts.filter((count) => count === 0).length).toBeGreaterThan(memories.length / 2);
});

test("only the secret contains an access key, and it is the documentation's example", () => {
  const { expected, memories } = readDemo();
  const holders = memories.filter(({ content }) => /\bAKIA[A-Z0-9]{16}\b/.test(content));
  expect(holders.map(({ id }) => id)).toEqual(expected.secret);
  expect(holders[0]?.content).toContain("AKIAIOSFODNN7EXAMPLE");
});

test("Harbor is named often enough to be a hub, and no other entity is", () => {
  const { memories } = readDemo();
  const names = [...new Set(memories.flatMap((memory) => memory.entities))];
  const hubs = names.filter(
    (name) => memories.filter(({ content }) => content.includes(name)).length > 20,
  );
  expect(hubs).toEqual(["Harbor"]);
});

test("the README lists every group and id of expect.json", () => {
  const { expected } = readDemo();
  const readme = readAsset("README.md");
  const rows = new Map(readme.split("\n").map((line) => [line.split(" | ")[0], line]));
  for (const [name, members] of Object.entries(expected)) {
    const listed = members
      .map((member) =>
        [member]
          .flat()
          .map((id) => `\`${id}\``)
          .join(" + "),
      )
      .join(", ");
    const row = rows.get(`| \`${name}\``);
    expect(row).toContain(`| ${members.length} |`);
    expect(row).toContain(`| ${listed} |`);
  }
});

function readDemo() {
  const memories = readLines("memories.jsonl", memorySchema);
  const uses = readLines("uses.jsonl", useSchema);
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const usesOf = (id: string) => uses.filter((use) => use.memory_id === id);
  return {
    memories,
    uses,
    relations: readLines("relations.jsonl", relationSchema),
    expected: expectSchema.parse(JSON.parse(readAsset("expect.json"))),
    usesOf,
    recentUses: (id: string) =>
      usesOf(id).filter((use) => Date.parse(use.at) >= WINDOW_START).length,
    memory(id: string) {
      const found = byId.get(id);
      if (found === undefined) throw new Error(`memories.jsonl has no ${id}`);
      return found;
    },
  };
}

function readLines<T>(name: string, schema: z.ZodType<T>): readonly T[] {
  const lines = readAsset(name).trimEnd().split("\n");
  return lines.map((line) => schema.parse(JSON.parse(line)));
}

function readAsset(name: string): string {
  return readFileSync(new URL(`../../assets/demo/${name}`, import.meta.url), "utf8");
}

/** CortexGraph's power law with its default half-life of three days; written out here so that the data is checked on its own. */
function scoreAt(input: {
  readonly lastUsedAt: number;
  readonly useCount: number;
  readonly strength: number;
}): number {
  const scaleDays = 3 / (2 ** (1 / 1.1) - 1);
  const ageDays = (CLOCK - input.lastUsedAt) / DAY_MS;
  return (input.useCount + 1) ** 0.6 * (1 + ageDays / scaleDays) ** -1.1 * input.strength;
}
