/**
 * How a store and a vault grow over nightly runs on which little changed:
 *
 *     npm run -s bench:growth -- [--size 2000] [--nights 30] [--daily 20] [--seed 7]
 *
 * Each day `daily` memories are remembered and as many are used; then the whole pipeline runs at three in the morning of that day. Versions are
 * cleaned up after an hour in use, and no hour passes here, so a night's older versions are dropped before the next one: what is
 * printed is what a morning finds.
 */
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { runDepsOf } from "../../src/api/run-deps-of.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import type { Memory } from "../../src/model/memory.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { openParts } from "../../src/wire.ts";
import { generateTexts } from "../speed/generate-texts.ts";

const START = Date.UTC(2026, 0, 1, 3);

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "2000" },
    nights: { type: "string", default: "30" },
    daily: { type: "string", default: "20" },
    seed: { type: "string", default: "7" },
  },
});
const [size, nights, daily] = [Number(values.size), Number(values.nights), Number(values.daily)];
const home = await mkdtemp(path.join(tmpdir(), "slowwave-growth-"));
try {
  await measure();
} finally {
  await rm(home, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const vault = path.join(home, "vault");
  await mkdir(vault);
  const config = await loadConfig({ env: { SLOWWAVE_HOME: home }, flags: { vault } });
  const texts = generateTexts(size + nights * daily, Number(values.seed));
  for (let night = 0; night <= nights; night += 1) {
    const now = START + night * DAY_MS;
    const parts = await openParts({ config, asOf: now });
    const from = night === 0 ? 0 : size + (night - 1) * daily;
    const fresh = texts.slice(from, night === 0 ? size : from + daily);
    const memories = fresh.map((content, at) => memoryOf(content, { at: from + at, now }));
    await parts.store.commit(
      memories.map((after) => ({ record: "memory", before: null, after }) as const),
    );
    await parts.store.recordUses(
      Array.from({ length: daily }, (_, at) => ({
        id: `use-${night}-${at}`,
        namespace: "default",
        memoryId: `m${(night * 37 + at * 13) % (from + 1)}`,
        kind: "recall" as const,
        at: now - DAY_MS / 2,
      })),
    );
    const { agents } = await runPipeline(runDepsOf(parts));
    await parts.store.dropHistory();
    const journal = await parts.store.read("journal");
    const journalBytes = journal.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0);
    const applied = Object.values(agents).reduce((sum, agent) => sum + agent.applied, 0);
    const columns = [
      night,
      from + fresh.length,
      applied,
      await bytesIn(config.store),
      journalBytes,
      await bytesIn(vault),
    ];
    process.stdout.write(
      `${columns.map((value, at) => (at < 3 ? String(value) : megabytes(value))).join("\t")}\n`,
    );
    await parts.close();
  }
}

function memoryOf(
  content: string,
  { at, now }: { readonly at: number; readonly now: number },
): Memory {
  return {
    ...{ id: `m${at}`, namespace: "default", kind: "semantic", content, tags: [], entities: [] },
    ...{ extra: {}, createdAt: now - DAY_MS / 2, baseUseCount: 0, reviewCount: 0, strength: 1 },
    ...{
      pinned: false,
      disputed: false,
      status: "active",
      leaves: [],
      provenance: [],
      revision: 1,
    },
  };
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(
    async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size,
  );
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}
