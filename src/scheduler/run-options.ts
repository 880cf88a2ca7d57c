import type { Instant } from "../model/instant.ts";
import type { Memory, MemoryKind } from "../model/memory.ts";

/** What a run is asked to do; every field is optional. */
export interface RunOptions {
  /** Plan only: no byte of store, vault or git is written. @default false */
  readonly dryRun?: boolean;
  /** Compute anew what earlier runs have kept, and replace it. The plan is the same. @default false */
  readonly full?: boolean;
  /** One agent instead of the pipeline. */
  readonly agent?: string;
  /** At most so many items an agent. */
  readonly limit?: number;
  /** Operations that leave the process, a minute and agent. @default 60 */
  readonly rateLimit?: number;
  /** Items processed a minute. @default unlimited */
  readonly throttle?: number;
  readonly filter?: RunFilter;
  /** Memory ids to promote whatever their age and use. */
  readonly forced?: ReadonlySet<string>;
  /** Take all notes that are missing for deleted, even where so many are gone that the vault looks unmounted. @default false */
  readonly acceptDeletions?: boolean;
  readonly signal?: AbortSignal;
}

/** All given must match; a memory outside is not proposed on. */
export interface RunFilter {
  readonly namespace?: string;
  readonly tag?: string;
  readonly kind?: MemoryKind;
  /** Created at or after. */
  readonly since?: Instant;
}

export function matchesFilter(memory: Memory, filter: RunFilter): boolean {
  return (
    (filter.namespace === undefined || memory.namespace === filter.namespace) &&
    (filter.tag === undefined || memory.tags.includes(filter.tag)) &&
    (filter.kind === undefined || memory.kind === filter.kind) &&
    (filter.since === undefined || memory.createdAt >= filter.since)
  );
}
