import type { AgentName } from "../model/agent-name.ts";
import type { Instant } from "../model/instant.ts";
import type { Memory } from "../model/memory.ts";
import type { ModelUse } from "../model/model-reply.ts";
import type { Outcome } from "../model/proposal.ts";
import type { Settings } from "../model/settings.ts";
import type { NoteFormat } from "./note-vault.ts";
import type { Progress } from "./progress.ts";
import type { View } from "./view.ts";

/** What an agent may use besides the view. */
export interface AgentContext {
  readonly view: View;
  readonly settings: Settings;
  /** Filters of the run (`--tag`, `--kind`, `--since`, `--namespace`): memories outside are not proposed on. */
  inScope(memory: Memory): boolean;
  /** Present where a vault is ready to take notes. `takenPaths`: every path in it, as it is on disk. */
  readonly notes?: { readonly format: NoteFormat; readonly takenPaths: ReadonlySet<string> };
  /** Why notes cannot be written, where they cannot. */
  readonly notesUnavailable?: string;
  /** Ids forced by a person (`promote --force`). */
  readonly forced?: ReadonlySet<string>;
  /** All memories have aged at once (a leap of the clock): nothing is forgotten before then. */
  readonly holdForgettingUntil?: Instant;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

export interface ScanResult {
  /** Work found, in the order in which it is to be processed. */
  readonly items: readonly string[];
  /** How many memories (or pairs, issues) were looked at. */
  readonly scanned: number;
  /** What was looked at and held back by a gate: reason → count. */
  readonly held: Readonly<Record<string, number>>;
  /** What a person should know about this scan. */
  readonly notes: readonly string[];
}

type Outcomes<T> = readonly Outcome<T>[];

/**
 * One agent: pure over (view, settings, clock). `scan` finds work, `process` turns one item into outcomes; neither writes. An agent
 * object serves one run: what `scan` computed may be kept for `process`.
 */
export interface Agent<T> {
  readonly name: AgentName;
  scan(context: AgentContext): Promise<ScanResult>;
  /** A promise only where there is something to wait for: most items of a large store are settled by then, and are many. */
  process(itemId: string, context: AgentContext): Outcomes<T> | Promise<Outcomes<T>>;
  /** Of an agent that works with a language model: what it asked of it so far. */
  modelUse?(): ModelUse | undefined;
}
