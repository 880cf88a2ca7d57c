import type { Settings } from "../model/settings.ts";
import type { Agent } from "../ports/agent.ts";
import type { Clock } from "../ports/clock.ts";
import type { IssueMirror } from "../ports/issue-tracker.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { NoteVault, VaultFormat } from "../ports/note-vault.ts";
import type { Progress } from "../ports/progress.ts";
import type { System } from "../ports/system.ts";
import type { VersionControl } from "../ports/version-control.ts";

/** What a run works with; the composition root builds it. */
export interface RunDeps {
  readonly store: MemoryStore;
  /** Present where issues are kept outside of the store. */
  readonly mirror?: IssueMirror;
  readonly vault?: NoteVault;
  loadNoteFormat(): Promise<VaultFormat>;
  /** Absent where there is no vault, or commits are switched off. */
  readonly versionControl?: VersionControl;
  /** Fresh agents for one run, in the order in which they run; with `full`, they compute anew what earlier runs have kept. */
  createAgents(how?: {
    readonly full: boolean;
  }): readonly Agent<unknown>[] | Promise<readonly Agent<unknown>[]>;
  readonly settings: Settings;
  readonly embedderId: string;
  readonly clock: Clock;
  readonly system: System;
  readonly progress: Progress;
  /** How many changes one commit may hold. @default 5000 */
  readonly changesPerBatch?: number;
}
