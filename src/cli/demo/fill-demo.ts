import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { entitiesOf } from "../../api/entities-of.ts";
import { type ImportReport, importMemories } from "../../intake/import-memories.ts";
import { type Instant, parseInstant } from "../../model/instant.ts";
import { DEFAULT_NAMESPACE } from "../../model/memory.ts";
import { packagePath } from "../../model/package-path.ts";
import { USE_KINDS, type Use } from "../../model/use.ts";
import type { Parts } from "../../wire.ts";

/** The night after the last of the bundled memories: the demo shows the same thing on any day. */
export const DEMO_NOW: Instant = Date.UTC(2026, 3, 13, 3);

/** Six weeks of an agent's memories, with their dated uses. */
export async function fillDemo(parts: Parts, signal: AbortSignal): Promise<ImportReport> {
  const assets = packagePath("assets/demo");
  const report = await importMemories({
    store: parts.store,
    source: assets,
    from: "cortexgraph",
    now: DEMO_NOW,
    quarantinePath: path.join(parts.config.store, "quarantine", "demo.jsonl"),
    extractEntities: entitiesOf,
    progress: parts.progress,
    signal,
  });
  await parts.store.recordUses(await readUses(path.join(assets, "uses.jsonl")));
  return report;
}

const useLineSchema = z.object({
  memory_id: z.string(),
  at: z.string(),
  kind: z.enum(USE_KINDS),
});

async function readUses(file: string): Promise<Use[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line, index) => {
    const { memory_id: memoryId, at, kind } = useLineSchema.parse(JSON.parse(line));
    return {
      id: `demo-use-${index + 1}`,
      namespace: DEFAULT_NAMESPACE,
      memoryId,
      kind,
      at: parseInstant(at, `${file}:${index + 1}`),
    };
  });
}
