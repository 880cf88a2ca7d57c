import type { Config } from "./config/config.ts";
import type { Instant } from "./model/instant.ts";
import type { Agent } from "./ports/agent.ts";
import type { Clock } from "./ports/clock.ts";
import type { Embedder } from "./ports/embedder.ts";
import type { IssueTracker } from "./ports/issue-tracker.ts";
import type { MemoryStore } from "./ports/memory-store.ts";
import type { NoteFormat, NoteVault } from "./ports/note-vault.ts";
import type { Progress } from "./ports/progress.ts";
import type { System } from "./ports/system.ts";
import type { VersionControl } from "./ports/version-control.ts";

export interface OpenOptions {
  readonly config: Config;
  /** `read` writes no byte: what a dry run, `list`, `show`, `stats` use. @default "write" */
  readonly mode?: "read" | "write";
  /** Make the store when it is not there. @default true in mode `write` */
  readonly create?: boolean;
  /** Fixes the clock everywhere. */
  readonly asOf?: Instant;
  readonly progress?: Progress;
}

/** Everything a run, a command or a library call works with, built from configuration in one place. */
export interface Parts {
  readonly config: Config;
  readonly store: MemoryStore;
  readonly tracker: IssueTracker;
  /** Absent where no vault is configured. */
  readonly vault?: NoteVault;
  readonly noteFormat: NoteFormat;
  /** Absent where there is no vault, or commits are switched off. */
  readonly versionControl?: VersionControl;
  readonly embedder: Embedder;
  /** Fresh agents for one run, in the order in which they run. */
  createAgents(overrides?: readonly Agent<unknown>[]): readonly Agent<unknown>[];
  readonly clock: Clock;
  readonly system: System;
  readonly progress: Progress;
  close(): Promise<void>;
}
