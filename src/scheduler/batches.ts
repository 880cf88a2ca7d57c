import type { Change } from "../model/change.ts";
import { isPut, keysOf, type PutChange } from "./changes.ts";
import type { DecidedProposal } from "./plan.ts";

/**
 * Changes a batch may hold before the next proposal starts another: one commit each, so this bounds memory and what a kill can undo. A
 * commit looks through the keys of the whole store, whatever it writes: a first run over 100,000 memories makes 390,000 changes.
 */
const CHANGES_PER_BATCH = 5000;

/** Splits in order; a proposal never spans batches. */
export function splitBatches(
  decided: readonly DecidedProposal[],
  changesPerBatch = CHANGES_PER_BATCH,
): readonly (readonly DecidedProposal[])[] {
  const batches: DecidedProposal[][] = [];
  let size = changesPerBatch;
  for (const one of decided) {
    if (one.changes.length === 0) continue;
    if (size + one.changes.length > changesPerBatch) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(one);
    size += one.changes.length;
  }
  return batches;
}

/** What stands in the way of a proposal. */
export interface Refusal {
  readonly one: DecidedProposal;
  readonly why: string;
}

/**
 * Proposals that can no longer be made: those that touch a blocked key, and, since their before-images count on the effect of the
 * refused ones, all later ones that touch a key of a refused proposal or depend on it. `whyAtOnce` refuses on grounds of its own.
 */
export function createRefusals(
  whyAtOnce: (one: DecidedProposal) => string | undefined = () => undefined,
) {
  const blocked = new Map<string, string>();
  const refusedIds = new Set<string>();
  const whyRefused = (one: DecidedProposal): string | undefined => {
    const key = one.changes.flatMap(keysOf).find((candidate) => blocked.has(candidate));
    if (key !== undefined) return blocked.get(key);
    const why = whyAtOnce(one);
    if (why !== undefined) return why;
    return one.proposal.dependsOn.some((id) => refusedIds.has(id))
      ? "needs a refused proposal"
      : undefined;
  };
  return {
    block: (key: string, why: string): void => {
      blocked.set(key, why);
    },
    /** Splits a batch, in order; what is refused blocks its keys for those that follow. */
    sift: (batch: readonly DecidedProposal[]) => {
      const kept: DecidedProposal[] = [];
      const refused: Refusal[] = [];
      for (const one of batch) {
        const why = whyRefused(one);
        if (why === undefined) {
          kept.push(one);
          continue;
        }
        refused.push({ one, why });
        refusedIds.add(one.proposal.id);
        for (const key of one.changes.flatMap(keysOf)) if (!blocked.has(key)) blocked.set(key, why);
      }
      return { kept, refused };
    },
  };
}

export function putsOf(changes: readonly Change[]): readonly PutChange[] {
  return changes.filter(isPut);
}
