import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import {
  type Label,
  type LabelledPair,
  type LabelledText,
  type QualityData,
  readPairs,
  readRows,
  readStores,
} from "./read-data.ts";

/** The project's own data: the hand-made pairs of the tests, and what the demo's memories are there to show. */
export async function readOwnData(): Promise<QualityData> {
  const demo = await readDemo();
  const stores = await readStores(pathOf("."), "recall.demo.jsonl");
  return {
    pairs: [
      ...(await readPairs(pathOf("../../test/fixtures/"), "handmade-pairs.jsonl")),
      ...pairsOf(demo),
    ],
    clusters: new Map([["assets/demo", textsOf(demo)]]),
    stores: stores.map((store) => ({ ...store, memories: demo.memories })),
  };
}

interface Demo {
  readonly memories: readonly {
    readonly id: string;
    readonly text: string;
    readonly created_at: string;
  }[];
  readonly expected: z.infer<typeof expectSchema>;
}

const groups = z.array(z.array(z.string()));
const expectSchema = z.object({
  duplicates: groups,
  containment: groups,
  paraphrases: groups,
  contradictions: groups,
  successions: groups,
  additions: groups,
});
const memorySchema = z.object({ id: z.string(), content: z.string(), created_at: z.number() });

async function readDemo(): Promise<Demo> {
  const folder = "../../assets/demo/";
  const memories = await readRows(pathOf(`${folder}memories.jsonl`), memorySchema);
  const expected = expectSchema.parse(
    JSON.parse(await readFile(pathOf(`${folder}expect.json`), "utf8")),
  );
  return {
    expected,
    memories: memories.map(({ id, content, created_at }) => ({
      id,
      text: content,
      created_at: new Date(created_at * 1000).toISOString(),
    })),
  };
}

function pairsOf({ memories, expected }: Demo): readonly LabelledPair[] {
  const texts = new Map(memories.map(({ id, text }) => [id, text]));
  const label = (of: readonly (readonly string[])[], as: Label): readonly LabelledPair[] =>
    of.flatMap((group) =>
      group.flatMap((first, at) =>
        group.slice(at + 1).map((second) => ({
          a: texts.get(first) ?? "",
          b: texts.get(second) ?? "",
          label: as,
          source: "demo",
          file: "assets/demo",
        })),
      ),
    );
  return [
    ...label(
      [...expected.duplicates, ...expected.containment, ...expected.paraphrases],
      "duplicate",
    ),
    ...label(expected.contradictions, "contradiction"),
    ...label([...expected.successions, ...expected.additions], "related"),
  ];
}

function textsOf({ memories, expected }: Demo): readonly LabelledText[] {
  const clusterOf = new Map(
    [...expected.duplicates, ...expected.containment, ...expected.paraphrases].flatMap((group) =>
      group.map((id) => [id, group[0] ?? id] as const),
    ),
  );
  return memories.map(({ id, text }) => ({ id, text, cluster: clusterOf.get(id) ?? id }));
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
