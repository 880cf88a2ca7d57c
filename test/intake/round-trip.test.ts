import { writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ExportFormat } from "../../src/intake/export-memories.ts";
import { exportToPath } from "../../src/intake/export-to-path.ts";
import type { ImportReport } from "../../src/intake/import-memories.ts";
import type { JsonValue } from "../../src/model/json.ts";
import type { Memory } from "../../src/model/memory.ts";
import type { Relation } from "../../src/model/relation.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import { visibleRelations } from "../../src/ports/relation-columns.ts";
import {
  aFolder,
  aStore,
  capitalisedWords,
  exportLines,
  importPath,
  NOW,
  textOf,
} from "./import-text.ts";

const RUNS = { numRuns: 60 };

const text = fc
  .oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.constantFrom("Maria", "a\nb", 'it\'s \\ "x"'),
  )
  .map((value) => value.replace(/\0|\p{Surrogate}/gu, ""));
const named = text.filter((value) => value !== "");
const content = text.filter((value) => value.trim() !== "");
const texts = fc.array(text, { maxLength: 3 });
const second = fc.integer({ min: 1, max: NOW / 1000 }).map((value) => value * 1000);
const instant = fc.oneof(second, fc.integer({ min: 1_000_000_000_000, max: NOW }));
const unit = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const jsonKey = text.filter((key) => key !== "__proto__");
/** Names that mean something to one of the formats, and names that do not. */
const extraKey = fc.oneof(
  jsonKey,
  fc.constantFrom("content", "id", "meta", "embed", "extra", "record", "createdAt", "promoted_to"),
  fc.constantFrom("kind", "mcp", "slowwave", "review_priority", "_deleted", "tags", "toString"),
);
/** JSON has no minus zero, and the names and texts that are refused are tested elsewhere. */
const json = fc.letrec<{ readonly value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.constantFrom(true, false, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(jsonKey, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const extra = fc.dictionary(extraKey, json, {
  maxKeys: 4,
  noNullPrototype: true,
});

const memoryFields = fc.record(
  {
    kind: fc.constantFrom("semantic", "procedural", "episodic"),
    source: text,
    context: text,
    baseLastUsedAt: instant,
    lastReviewedAt: instant,
    confidence: unit,
    validFrom: instant,
    validTo: instant,
    expiresAt: fc.integer({ min: 0, max: NOW * 2 }),
    promotedAt: instant,
    vaultPath: fc.constantFrom("Maria.md", "deep/er/note (2).md"),
  } as const,
  { requiredKeys: ["kind"] },
);

const status = fc.oneof(
  fc.constantFrom({ status: "active" as const }, { status: "promoted" as const }),
  fc.record({
    status: fc.constant("archived" as const),
    archivedAt: instant,
    archivedReason: fc.constantFrom("decayed" as const, "superseded" as const),
    supersededBy: named,
  }),
);

function aMemoryOf(id: string): fc.Arbitrary<Memory> {
  const fixed = fc.record({
    id: fc.constant(id),
    namespace: fc.constantFrom("default", 'work\'s "own"'),
    content,
    tags: texts,
    entities: texts,
    extra,
    createdAt: instant,
    baseUseCount: fc.nat(1000),
    reviewCount: fc.nat(9),
    strength: fc.double({ min: 0.5, max: 2, noNaN: true }),
    pinned: fc.boolean(),
    disputed: fc.boolean(),
    leaves: fc.uniqueArray(fc.constantFrom("leaf-1", "leaf-2"), { maxLength: 2 }),
    provenance: fc.array(fc.record({ agent: text, factId: text, at: instant }), { maxLength: 2 }),
    revision: fc.constant(1),
  });
  return fc
    .tuple(fixed, memoryFields, status)
    .map(([base, fields, standing]) => withoutIdleUse({ ...base, ...fields, ...standing }));
}

/** CortexGraph knows no difference between a memory never used and one last used when it was made. */
function withoutIdleUse(memory: Memory): Memory {
  const { baseLastUsedAt: _same, ...rest } = memory;
  return memory.baseLastUsedAt === memory.createdAt ? rest : memory;
}

const memories = fc
  .uniqueArray(named, { minLength: 1, maxLength: 4 })
  .chain((ids) => fc.tuple(...ids.map(aMemoryOf)));

const link = fc.record({
  id: named,
  ends: fc.tuple(fc.nat(), fc.nat()),
  type: named,
  strength: unit,
  reason: fc.option(text, { nil: undefined }),
  metadata: fc.dictionary(
    named.filter((key) => !["slowwave", "cortexgraph", "__proto__"].includes(key)),
    json,
    {
      maxKeys: 2,
      noNullPrototype: true,
    },
  ),
  createdAt: instant,
});

interface Content {
  readonly memories: readonly Memory[];
  readonly relations: readonly Relation[];
}

const storeContent: fc.Arbitrary<Content> = fc
  .tuple(memories, fc.uniqueArray(link, { maxLength: 4, selector: ({ id }) => id }))
  .map(([records, links]) => ({ memories: records, relations: relationsOf(records, links) }));

type Link = typeof link extends fc.Arbitrary<infer T> ? T : never;

function relationsOf(records: readonly Memory[], links: readonly Link[]): readonly Relation[] {
  const known = new Set<string>();
  return links.flatMap(({ ends, reason, ...fields }) => {
    const [from, to] = ends.map((end) => records[end % records.length]);
    if (!from || !to || from.namespace !== to.namespace) return [];
    const key = JSON.stringify([from.namespace, from.id, to.id, fields.type]);
    if (known.has(key)) return [];
    known.add(key);
    const base = { ...fields, namespace: from.namespace, from: from.id, to: to.id, revision: 1 };
    return [reason === undefined ? base : { ...base, reason }];
  });
}

async function storeWith({ memories: records, relations }: Content): Promise<MemoryStore> {
  const store = aStore();
  await store.commit([
    ...records.map((after) => ({ record: "memory", before: null, after }) as const),
    ...relations.map((after) => ({ record: "relation", before: null, after }) as const),
  ]);
  return store;
}

/** All that a store holds, but for what an import makes itself. */
async function contentOf(store: MemoryStore): Promise<unknown> {
  const snapshot = await store.snapshot();
  return {
    memories: snapshot.memories.map(({ revision: _revision, importHash: _hash, ...rest }) => rest),
    relations: visibleRelations(snapshot.relations).map(({ revision: _revision, ...rest }) => rest),
  };
}

const work = () => {
  const folder = aFolder();
  let count = 0;
  return async (store: MemoryStore, format: ExportFormat): Promise<string> => {
    count += 1;
    const target = path.join(folder, `export-${count}`);
    await exportToPath({ store, format, now: NOW, path: target });
    return target;
  };
};

function changed({ added, updated, quarantined, flagged, relations }: ImportReport) {
  const { unchanged: _unchanged, ...others } = relations;
  return { added, updated, quarantined, flagged, relations: others };
}

const NOTHING = {
  added: 0,
  updated: 0,
  quarantined: 0,
  flagged: 0,
  relations: { added: 0, updated: 0, removed: 0, dropped: 0 },
};

test.each(["jsonl", "cortexgraph"] as const)(
  "a store exported as %s and imported into an empty one is the same store",
  async (format) => {
    const exported = work();
    const quarantinePath = path.join(aFolder(), "q");
    await fc.assert(
      fc.asyncProperty(storeContent, async (content) => {
        const store = await storeWith(content);
        const source = await exported(store, format);
        const other = aStore();
        await importPath(source, { store: other, from: format, quarantinePath });
        expect(await contentOf(other)).toEqual(await contentOf(store));
      }),
      RUNS,
    );
  },
);

test.each(["jsonl", "cortexgraph"] as const)(
  "an export as %s that is imported into its own store changes nothing there",
  async (format) => {
    const exported = work();
    const quarantinePath = path.join(aFolder(), "q");
    await fc.assert(
      fc.asyncProperty(storeContent, async (content) => {
        const store = await storeWith(content);
        const source = await exported(store, format);
        const report = await importPath(source, { store, from: format, quarantinePath });
        expect(changed(report)).toEqual(NOTHING);
      }),
      RUNS,
    );
  },
);

const cortexgraphLine = fc.record({
  content,
  meta: fc.record({
    tags: texts,
    source: fc.option(text),
    context: fc.option(text),
    extra: extra.map(({ slowwave: _ours, ...rest }) => rest),
  }),
  created_at: second.map((value) => value / 1000),
  last_used: second.map((value) => value / 1000),
  use_count: fc.nat(20),
  strength: fc.double({ min: 1, max: 2, noNaN: true }),
  status: fc.constantFrom("active", "promoted", "archived"),
  promoted_at: fc.option(second.map((value) => value / 1000)),
  promoted_to: fc.option(fc.constantFrom("notes/a.md", "/home/m/a.md")),
  embed: fc.constant(null),
  entities: texts,
  review_priority: fc.constantFrom(0, 0.5),
  last_review_at: fc.option(second.map((value) => value / 1000)),
  review_count: fc.nat(5),
  cross_domain_count: fc.nat(2),
});

test("a CortexGraph file comes out of import and export as the same lines, but for our own block", async () => {
  const exported = work();
  const folder = aFolder();
  await fc.assert(
    fc.asyncProperty(fc.array(cortexgraphLine, { minLength: 1, maxLength: 4 }), async (bodies) => {
      const lines = bodies.map((body, index) => ({ id: `m${index}`, ...body }));
      const source = path.join(folder, "in.jsonl");
      writeFileSync(source, textOf(lines));
      const [store, other] = [aStore(), aStore()];
      const options = { from: "cortexgraph", quarantinePath: path.join(folder, "q") } as const;
      await importPath(source, { ...options, store });
      const written = (await exportLines(store, "cortexgraph")).map(({ line }) => JSON.parse(line));
      const theirs = written.map((line) => {
        const { slowwave: _ours, ...rest } = line.meta.extra;
        return { ...line, meta: { ...line.meta, extra: rest } };
      });
      expect(theirs).toEqual(JSON.parse(JSON.stringify(lines)));
      await importPath(await exported(store, "cortexgraph"), { ...options, store: other });
      // Untouched memories keep even the hash of their original, so the first file changes nothing in the second store.
      expect(await other.read("memory")).toEqual(await store.read("memory"));
      expect(changed(await importPath(source, { ...options, store: other }))).toEqual(NOTHING);
    }),
    RUNS,
  );
});

test("records without times or ids come through an export as they are", async () => {
  const store = aStore();
  const folder = aFolder({
    "in.jsonl": textOf([{ content: "Maria likes tea" }, { content: "x", z: null }]),
  });
  const source = path.join(folder, "in.jsonl");
  const options = { extractEntities: capitalisedWords, quarantinePath: path.join(folder, "q") };
  await importPath(source, { store, ...options });
  const exported = work();
  const other = aStore();
  await importPath(await exported(store, "jsonl"), { store: other, ...options });
  expect(await contentOf(other)).toEqual(await contentOf(store));
  expect(changed(await importPath(source, { store: other, ...options }))).toEqual(NOTHING);
});

const entity = fc.record({
  type: fc.constant("entity"),
  name: named,
  entityType: text,
  observations: fc.uniqueArray(content, { maxLength: 4 }),
});

test("a graph of entities comes out of import and export as the same graph", async () => {
  const folder = aFolder();
  const source = path.join(folder, "in.jsonl");
  const options = { from: "mcp", quarantinePath: path.join(folder, "q") } as const;
  const graphs = fc.uniqueArray(entity, {
    minLength: 1,
    maxLength: 4,
    selector: ({ name }) => name,
  });
  const links = fc.uniqueArray(fc.tuple(fc.nat(), fc.nat(), named), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(graphs, links, async (entities, ends) => {
      const nameAt = (index: number) => entities[index % entities.length]?.name;
      const relations = ends.map(([from, to, relationType]) => ({
        type: "relation",
        from: nameAt(from),
        to: nameAt(to),
        relationType,
      }));
      const distinct = [...new Map(relations.map((one) => [JSON.stringify(one), one])).values()];
      writeFileSync(source, textOf([...entities, ...distinct]));
      const store = aStore();
      await importPath(source, { ...options, store });
      const written = (await exportLines(store, "mcp")).map(({ line }) => JSON.parse(line));
      const [things, joins] = [written.slice(0, entities.length), written.slice(entities.length)];
      expect(things).toEqual(entities);
      const sorted = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).sort();
      expect(sorted(joins)).toEqual(sorted(distinct));
    }),
    RUNS,
  );
});
