import { type Memory, memoryKey } from "../../model/memory.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { calibrate } from "../../similarity/profile.ts";
import { rowCosine, rowLengths, type VectorMatrix } from "../../similarity/vectors.ts";
import type { AgentDeps } from "../agent-deps.ts";
import { isCloseEnough } from "../cluster/compare-texts.ts";
import { judgePair } from "../cluster/judge-pair.ts";

export interface Restated {
  /** The memory whose note says it already. */
  readonly memory: Memory;
  readonly similarity: number;
  /** The proposal that gives it its note, where that is of this run. */
  readonly proposalId: string | undefined;
}

export interface NearDuplicates {
  /** The note that says the same already, most alike first. */
  find(candidate: Memory): Restated | undefined;
  /** From now on it has a note. */
  add(memory: Memory, proposalId: string): void;
}

interface Noted {
  readonly memory: Memory;
  readonly proposalId: string | undefined;
}

/**
 * Candidates that say what a note says already: so alike that the two would be one memory, were it not that they wait for a person, are too
 * long together, or are pinned. What contradicts, or speaks of two things, is not alike, however near its vectors are. Only memories of
 * one kind and namespace are compared.
 */
export async function openNearDuplicates(
  candidates: readonly Memory[],
  { deps, context }: { readonly deps: AgentDeps; readonly context: AgentContext },
): Promise<NearDuplicates> {
  const { view, settings } = context;
  const promoted = [...new Set(candidates.map(({ namespace }) => namespace))]
    .flatMap((namespace) => view.memories(namespace))
    .filter(({ status }) => status === "promoted");
  const all = [...promoted, ...candidates];
  const matrix = await view.vectors(all);
  const lengths = rowLengths(matrix);
  const rows = new Map(all.map((memory, row) => [memoryKey(memory), row]));
  const noted = new Map<string, Noted[]>();
  const add = (memory: Memory, proposalId: string | undefined): void => {
    const group = noted.get(groupOf(memory)) ?? [];
    group.push({ memory, proposalId });
    noted.set(groupOf(memory), group);
  };
  for (const memory of promoted) add(memory, undefined);
  return {
    add,
    find: (candidate) => {
      const cosineTo = cosinesFrom(candidate, { rows, matrix, lengths });
      const near = (noted.get(groupOf(candidate)) ?? [])
        .map((one) => ({ ...one, cosine: cosineTo(one.memory) }))
        .filter(({ cosine }) => isNear(cosine, { deps, settings }))
        .sort((a, b) => b.cosine - a.cosine || (a.memory.id < b.memory.id ? -1 : 1));
      for (const { memory, proposalId, cosine } of near) {
        const pair = { a: candidate.content, b: memory.content, cosine };
        const { verdict, similarity } = judgePair(pair, { deps, settings });
        if (verdict === "duplicate") return { memory, similarity, proposalId };
      }
      return undefined;
    },
  };
}

function groupOf({ namespace, kind }: Memory): string {
  return JSON.stringify([namespace, kind]);
}

/** 0 where either has no vector. */
function cosinesFrom(
  candidate: Memory,
  space: {
    readonly rows: ReadonlyMap<string, number>;
    readonly matrix: VectorMatrix;
    readonly lengths: Float64Array;
  },
): (other: Memory) => number {
  const { rows, matrix, lengths } = space;
  const row = rows.get(memoryKey(candidate));
  return (other) => {
    const to = rows.get(memoryKey(other));
    if (row === undefined || to === undefined || !lengths[row] || !lengths[to]) return 0;
    return rowCosine(matrix, lengths, [row, to]);
  };
}

function isNear(
  cosine: number,
  by: { readonly deps: AgentDeps; readonly settings: AgentContext["settings"] },
): boolean {
  const { deps, settings } = by;
  const isAlike = calibrate(deps.profile, cosine) >= settings.cluster.similarityThreshold;
  return isAlike && isCloseEnough(cosine, { deps, settings });
}
