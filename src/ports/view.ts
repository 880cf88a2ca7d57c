import type { Instant } from "../model/instant.ts";
import type { Issue } from "../model/issue.ts";
import type { Memory } from "../model/memory.ts";
import type { Relation } from "../model/relation.ts";
import type { Usage } from "../model/use.ts";
import type { VectorMatrix } from "../model/vector-matrix.ts";

/** A relation, as one of its ends sees it. */
export interface Tie {
  readonly type: Relation["type"];
  /** The memory at the other end; itself where it is tied to itself. */
  readonly otherId: string;
  readonly createdAt: Instant;
}

/**
 * What an agent sees: one pinned snapshot with the effects of earlier agents folded in, at one instant. Reading never changes it.
 * Undone records do not appear. All lists are in a stable order.
 */
export interface View {
  readonly now: Instant;
  readonly storeId: string;
  namespaces(): readonly string[];
  /** Every memory of a namespace, archived ones too, by id. */
  memories(namespace: string): readonly Memory[];
  memory(namespace: string, id: string): Memory | undefined;
  /** Relations with this memory at either end, by id. */
  relationsOf(namespace: string, memoryId: string): readonly Relation[];
  /** What ties the memory to others: its relations, in no certain order and without what takes reading them. For questions about every memory. */
  tiesOf(namespace: string, memoryId: string): readonly Tie[];
  relation(namespace: string, id: string): Relation | undefined;
  /** Every issue, closed ones too, by id. */
  issues(): readonly Issue[];
  issueByFingerprint(fingerprint: string): Issue | undefined;
  /** Uses of the memory and of its merged leaves up to `now`. */
  usage(memory: Memory): Usage;
  /** True where some memory of the namespace was ever used: an event, or an imported count or last use after its creation. */
  hasUsageSignal(namespace: string): boolean;
  /** One row a memory, in order; zero rows where a text has no vector. */
  vectors(memories: readonly Memory[]): Promise<VectorMatrix>;
  /** How many steps with this agent and action the journal has for the namespace since `since`. */
  appliedSince(step: {
    readonly agent: string;
    readonly action: string;
    readonly namespace: string;
    readonly since: Instant;
  }): number;
}
