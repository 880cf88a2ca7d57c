import { createEmbeddedTracker } from "../../src/adapters/issues-embedded/create-embedded-tracker.ts";
import { createHashEmbedder } from "../../src/adapters/memory/hash-embedder.ts";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import type { Io, StopSignal } from "../../src/cli/io.ts";
import { main } from "../../src/cli/main.ts";
import type { Agent } from "../../src/ports/agent.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import type { NoteVault } from "../../src/ports/note-vault.ts";
import type { OpenOptions, Parts } from "../../src/wire.ts";
import { BUILT_AT } from "../builders.ts";
import { createFixedSystem } from "../scheduler/fixed-system.ts";
import { PLAIN_NOTES } from "../scheduler/run-deps.ts";

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Parsed stdout. */
  json(): Record<string, unknown>;
}

export interface CliOptions {
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  readonly cwd?: string;
}

export interface TestCli {
  readonly store: MemoryStore;
  /** What each command opened the parts with, in order. */
  readonly opened: readonly OpenOptions[];
  run(...argv: readonly string[]): Promise<CliResult>;
  runWith(options: CliOptions, ...argv: readonly string[]): Promise<CliResult>;
  /** Sends a stop signal to the command that is running. */
  signal(signal: StopSignal): void;
}

/** The command line over in-memory twins, which live through all its commands. `--as-of` moves the clock; else it stands at BUILT_AT. */
export function createTestCli(
  fields: {
    readonly agents?: () => readonly Agent<unknown>[];
    readonly vault?: NoteVault;
    readonly store?: MemoryStore;
    /** What else a command is to work with, by how it opens its parts. */
    readonly parts?: (options: OpenOptions) => Partial<Parts>;
  } = {},
): TestCli {
  const embedder = createHashEmbedder();
  const store = fields.store ?? createMemoryStore({ embedder });
  const system = createFixedSystem();
  const opened: OpenOptions[] = [];
  const listeners = new Set<(signal: StopSignal) => void>();
  const openParts = async (options: OpenOptions): Promise<Parts> => {
    opened.push(options);
    return {
      config: options.config,
      store,
      tracker: createEmbeddedTracker(store),
      ...(fields.vault ? { vault: fields.vault } : {}),
      loadNoteFormat: async () => PLAIN_NOTES,
      embedder,
      createAgents: async () => fields.agents?.() ?? [],
      clock: { now: () => options.asOf ?? BUILT_AT },
      system,
      progress: options.progress ?? { start() {}, advance() {}, finish() {}, note() {} },
      close: async () => undefined,
      ...fields.parts?.(options),
    };
  };
  const runWith = async (options: CliOptions, ...argv: readonly string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const io: Io = {
      stdin: stdinOf(options.stdin),
      stdout: { write: (text) => out.push(text), isTTY: options.isTTY },
      stderr: { write: (text) => err.push(text), isTTY: options.isTTY },
      // Nothing of the machine that runs the test: no configuration file, no default store.
      env: { HOME: "/nonexistent", USER: "ada", ...options.env },
      cwd: options.cwd ?? "/nonexistent",
      pid: 1,
      onStopSignal: (stop) => {
        listeners.add(stop);
        return () => listeners.delete(stop);
      },
    };
    const code = await main(argv, io, { openParts });
    const stdout = out.join("");
    return { code, stdout, stderr: err.join(""), json: () => JSON.parse(stdout) };
  };
  return {
    store,
    opened,
    runWith,
    run: (...argv) => runWith({}, ...argv),
    signal: (signal) => {
      for (const stop of listeners) stop(signal);
    },
  };
}

async function* stdinOf(text: string | Uint8Array | undefined): AsyncGenerator<Uint8Array> {
  if (text !== undefined) yield typeof text === "string" ? Buffer.from(text) : text;
}
