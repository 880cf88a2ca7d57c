import { SlowwaveError } from "../model/errors.ts";
import { DEFAULT_NAMESPACE, type Memory } from "../model/memory.ts";
import type { SearchCandidate } from "../ports/memory-store.ts";
import { compareTexts } from "../ports/store-rules.ts";
import { refuseOtherVectors } from "../scheduler/refuse-other-vectors.ts";
import type { ActionParts } from "./change-memory.ts";
import { useOf } from "./record-use.ts";

export interface RecallInput {
  readonly query: string;
  /** @default 10 */
  readonly limit?: number;
  /** @default the configuration's, else `default` */
  readonly namespace?: string;
  /** False: looking is not using. @default true */
  readonly touch?: boolean;
}

export interface RecallHit {
  readonly memory: Memory;
  /** 0.7 · cosine + 0.3 · BM25 / best BM25. */
  readonly score: number;
  readonly cosine: number;
  readonly textScore: number;
}

/**
 * The live memories nearest to a query, best first, ties by id; each hit counts as a use of it. What has expired is not found.
 * @throws SlowwaveError `input` for an empty query.
 */
export async function recall(
  parts: ActionParts,
  { query, limit = 10, touch = true, ...input }: RecallInput,
): Promise<readonly RecallHit[]> {
  const text = query.trim();
  if (text === "") {
    throw new SlowwaveError("input", "query: expected some text, got only white space or nothing");
  }
  const namespace = input.namespace ?? parts.config.namespace ?? DEFAULT_NAMESPACE;
  const now = parts.clock.now();
  await refuseOtherVectors(parts.store);
  const candidates = await parts.store.search({
    namespace,
    text,
    candidates: Math.max(100, limit),
  });
  const hits = rankCandidates(candidates.filter(({ memory }) => !isExpired(memory, now))).slice(
    0,
    limit,
  );
  if (touch && hits.length > 0) {
    await parts.store.recordUses(
      hits.map(({ memory }) => useOf({ memory, kind: "recall", cause: text }, now)),
    );
  }
  return hits;
}

const VECTOR_WEIGHT = 0.7;
const TEXT_WEIGHT = 0.3;

/** The text side is taken relative to its best hit, as BM25 has no scale of its own. A negative cosine says no more than none. */
export function rankCandidates(candidates: readonly SearchCandidate[]): RecallHit[] {
  const best = candidates.reduce((most, { textScore }) => Math.max(most, textScore), 0);
  return candidates
    .map((candidate) => ({
      ...candidate,
      score:
        VECTOR_WEIGHT * Math.max(0, candidate.cosine) +
        (best > 0 ? (TEXT_WEIGHT * candidate.textScore) / best : 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || compareTexts([a.memory.id], [b.memory.id]));
}

function isExpired(memory: Memory, now: number): boolean {
  return memory.expiresAt !== undefined && memory.expiresAt <= now;
}
