import { z } from "zod";
import type { PairList } from "./pair-list.ts";

/**
 * Maps an embedder's cosines to a similarity on which a number means the same for every embedder: 0.65 "worth a
 * link", 0.83 "may be merged after a look", 0.85 "may be merged". Piecewise linear, strictly monotone.
 */
export interface SimilarityProfile {
  readonly version: 1;
  readonly embedder: string;
  readonly fitted: boolean;
  /** Cosine and calibrated similarity, both strictly ascending, from -1 to 1. */
  readonly points: Points;
  /** Measured on the pairs that the profile was fitted to. */
  readonly errors: readonly AnchorErrors[];
}

/** How a fitted profile errs at one of its anchors. */
export interface AnchorErrors {
  /** Calibrated similarity. */
  readonly similarity: number;
  readonly cosine: number;
  /** Share of related and unrelated pairs at or above it. */
  readonly falsePositiveRate: number;
  /** Share of duplicates below it. */
  readonly falseNegativeRate: number;
  /** Share of contradictions at or above it: no cosine sees them, conflict rules have to. */
  readonly contradictionRate: number;
}

type Points = readonly (readonly [cosine: number, similarity: number])[];

const profileSchema: z.ZodType<SimilarityProfile> = z
  .strictObject({
    version: z.literal(1),
    embedder: z.string().min(1),
    fitted: z.boolean(),
    points: z.array(z.tuple([z.number(), z.number()])),
    errors: z.array(
      z.strictObject({
        similarity: z.number(),
        cosine: z.number(),
        falsePositiveRate: z.number(),
        falseNegativeRate: z.number(),
        contradictionRate: z.number(),
      }),
    ),
  })
  .refine(({ points }) => isMapping(points), {
    message: "points: expected cosines and similarities that both rise from -1 to 1",
  });

/** Reads a stored profile. Fails with a ZodError on anything else. */
export function parseProfile(value: unknown): SimilarityProfile {
  return profileSchema.parse(value);
}

/** Similarity = cosine, for an embedder nobody measured: trust it with little (see \`fitted\`). */
export function unfittedProfile(embedder: string): SimilarityProfile {
  const points = [
    [-1, -1],
    [1, 1],
  ] as const;
  return { version: 1, embedder, fitted: false, points, errors: [] };
}

/** Calibrated similarity of a cosine. */
export function calibrate({ points }: SimilarityProfile, cosine: number): number {
  return interpolate(points, cosine, { from: 0, to: 1 });
}

/** The cosine whose calibrated similarity this is: what to search for. */
export function cosineFor({ points }: SimilarityProfile, similarity: number): number {
  return interpolate(points, similarity, { from: 1, to: 0 });
}

/** The same pairs with calibrated similarities in place of cosines. */
export function calibratePairs(profile: SimilarityProfile, pairs: PairList): PairList {
  return { ...pairs, similarity: pairs.similarity.map((cosine) => calibrate(profile, cosine)) };
}

function isMapping(points: Points): boolean {
  const rises = (axis: 0 | 1): boolean =>
    points[0]?.[axis] === -1 &&
    points.at(-1)?.[axis] === 1 &&
    points.every((point, at) => at === 0 || point[axis] > (points[at - 1]?.[axis] ?? 1));
  return rises(0) && rises(1);
}

function interpolate(
  points: Points,
  value: number,
  { from, to }: { readonly from: 0 | 1; readonly to: 0 | 1 },
): number {
  if (Number.isNaN(value)) throw new RangeError("expected a similarity, got NaN");
  const clamped = Math.max(-1, Math.min(1, value));
  const at = Math.max(
    1,
    points.findIndex((point) => point[from] >= clamped),
  );
  const [low, high] = [points[at - 1], points[at]];
  if (low === undefined || high === undefined) throw new RangeError("profile without points");
  // Anchors come out as written, not as the last bit of a division has it: 0.83 has to reach 0.83.
  if (clamped === high[from]) return high[to];
  const share = (clamped - low[from]) / (high[from] - low[from]);
  return low[to] + share * (high[to] - low[to]);
}
