import { execFileSync } from "node:child_process";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { openVersionControl } from "../../src/adapters/git/version-control.ts";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { openNoteVault } from "../../src/adapters/obsidian/note-vault.ts";
import { createAgents } from "../../src/agents/index.ts";
import { createPromoteAgent } from "../../src/agents/promote/create-promote-agent.ts";
import { type Memory, type MemoryChanges, reviseMemory } from "../../src/model/memory.ts";
import type { RunReport } from "../../src/model/run-report.ts";
import type { VaultFormat } from "../../src/ports/note-vault.ts";
import type { RunOptions } from "../../src/scheduler/run-options.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import type { RealDeps } from "../agents/real-deps.ts";
import { aMemory } from "../builders.ts";
import { quietFormat } from "../note-formats.ts";
import { createRunDeps, fill } from "./run-deps.ts";

/** A vault of real files in a real git repository, the store that writes to it, and a person who works in it by hand. */
export async function aVault(
  memories: readonly Partial<Memory>[],
  options: {
    readonly push?: boolean;
    readonly format?: VaultFormat;
    /** All five agents with the built-in embedder, instead of promotion alone. */
    readonly real?: RealDeps;
  } = {},
) {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "slowwave-vault-")));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  git("init", "--quiet", "--initial-branch=main");
  await writeFile(path.join(root, "Mine.md"), "My own note.\n");
  const { real } = options;
  const deps = createRunDeps({
    vault: openNoteVault({ root }),
    versionControl: openVersionControl({ root, push: options.push === true }),
    loadNoteFormat: async () => options.format ?? quietFormat,
    createAgents: () => (real === undefined ? [createPromoteAgent()] : createAgents(real)),
    ...(real ? { store: createMemoryStore({ embedder: real.embedder }) } : {}),
  });
  const all = memories.map((fields) => aMemory(fields));
  await fill(deps.store, all);
  const forced = new Set(all.map((memory) => memory.id));
  const person = {
    read: (note: string) => readFile(path.join(root, note), "utf8"),
    write: async (note: string, text: string) => {
      await mkdir(path.dirname(path.join(root, note)), { recursive: true });
      await writeFile(path.join(root, note), text);
    },
    edit: async (note: string, from: string | RegExp, to: string) => {
      const text = await person.read(note);
      const next = text.replace(from, to);
      if (next === text) throw new Error(`nothing to replace in ${note}:\n${text}`);
      await writeFile(path.join(root, note), next);
    },
    move: async (from: string, to: string) => {
      await mkdir(path.dirname(path.join(root, to)), { recursive: true });
      await rename(path.join(root, from), path.join(root, to));
    },
    delete: (note: string) => rm(path.join(root, note)),
    notes: async () => {
      const files = await readdir(root, { recursive: true, encoding: "utf8" });
      return files
        .filter((file) => file.endsWith(".md") && !file.startsWith(".git"))
        .map((file) => file.replaceAll(path.sep, "/"))
        .sort();
    },
  };
  const memory = async (id: string): Promise<Memory> => {
    const [found] = await deps.store.read("memory", { ids: [id] });
    if (found === undefined) throw new Error(`no memory ${id}`);
    return found;
  };
  return {
    root,
    git,
    deps,
    person,
    memory,
    /** A change by another hand than the vault's. */
    change: async (id: string, changes: MemoryChanges) => {
      const before = await memory(id);
      await deps.store.commit([{ record: "memory", before, after: reviseMemory(before, changes) }]);
    },
    /** The first run, which promotes all. */
    promote: (): Promise<RunReport> => runPipeline(deps, { forced }),
    run: (runOptions: RunOptions = {}): Promise<RunReport> => runPipeline(deps, runOptions),
  };
}

export function stepsOf(report: RunReport): readonly string[] {
  return report.fates.map(({ proposal, fate }) => `${proposal.action} ${fate}`);
}
