import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { createHashEmbedder } from "../../src/adapters/memory/hash-embedder.ts";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import {
  type ExportFormat,
  type ExportPart,
  exportMemories,
} from "../../src/intake/export-memories.ts";
import {
  type ImportOptions,
  type ImportReport,
  importMemories,
} from "../../src/intake/import-memories.ts";
import type { Memory } from "../../src/model/memory.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import { BUILT_AT } from "../builders.ts";

export const NOW = BUILT_AT;

/** A store in memory, empty. */
export function aStore(): MemoryStore {
  return createMemoryStore({ embedder: createHashEmbedder() });
}

/** A folder of its own with these files, gone after the test. */
export function aFolder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), "slowwave-intake-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

/** Words with a capital, which is all that these tests need of entities. */
export function capitalisedWords(text: string): readonly string[] {
  return [...new Set(text.match(/\b[A-Z][a-z]+\b/g) ?? [])];
}

type Options = Partial<Omit<ImportOptions, "source">> & { readonly store: MemoryStore };

export async function importPath(
  source: ImportOptions["source"],
  options: Options,
): Promise<ImportReport> {
  const quarantinePath = options.quarantinePath ?? path.join(aFolder(), "q", "lines.jsonl");
  return importMemories({ now: NOW, ...options, source, quarantinePath });
}

/** Imports a file with these lines, each JSON or text as it is. */
export async function importLines(
  lines: readonly unknown[],
  options: Options & { readonly name?: string },
): Promise<ImportReport> {
  const { name = "memories.jsonl", ...rest } = options;
  return importPath(path.join(aFolder({ [name]: textOf(lines) }), name), rest);
}

export function textOf(lines: readonly unknown[]): string {
  return lines
    .map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`)
    .join("");
}

export async function memoriesOf(store: MemoryStore): Promise<readonly Memory[]> {
  return store.read("memory");
}

export async function memoryOf(store: MemoryStore, id: string): Promise<Memory> {
  const [memory] = await store.read("memory", { ids: [id] });
  if (memory === undefined) throw new Error(`no memory ${id}`);
  return memory;
}

/** Puts a changed memory, as an agent or a person would. */
export async function change(
  store: MemoryStore,
  id: string,
  fields: Partial<Memory>,
): Promise<void> {
  const before = await memoryOf(store, id);
  const after = { ...before, ...fields, revision: before.revision + 1 };
  const result = await store.commit([{ record: "memory", before, after }]);
  if (!result.ok) throw new Error("conflict");
}

export async function exportLines(
  store: MemoryStore,
  format: ExportFormat,
  now = NOW,
): Promise<{ readonly line: string; readonly part: ExportPart }[]> {
  const lines: { line: string; part: ExportPart }[] = [];
  await exportMemories({
    store,
    format,
    now,
    write: (line, part) => {
      lines.push({ line, part });
    },
  });
  return lines;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
