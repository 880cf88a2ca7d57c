import type { Agreement } from "./agreements.ts";
import type { Conflict } from "./conflict.ts";
import type { Negation } from "./negations.ts";
import { type Pair, placeIn, wholeOf } from "./pair.ts";
import type { Statement } from "./statement.ts";

/** One text denies what the other says. */
export function findNegationConflicts(pair: Pair): readonly Conflict[] {
  const inA = unmatchedNegations(pair.a, pair.b).filter(
    (negation) => !isAgreed(negation, pair.agreements.a),
  );
  const inB = unmatchedNegations(pair.b, pair.a).filter(
    (negation) => !isAgreed(negation, pair.agreements.b),
  );
  // Two denials left over on either side are one denial in two wordings: "has no toner", "is out of toner".
  const count = Math.min(inA.length, inB.length);
  return [
    ...inA.slice(count).flatMap((negation) => judge(pair, negation, "a")),
    ...inB.slice(count).flatMap((negation) => judge(pair, negation, "b")),
  ];
}

function isAgreed(negation: Negation, agreements: readonly Agreement[]): boolean {
  return agreements.some((agreement) => agreement.negation === negation);
}

function unmatchedNegations(statement: Statement, other: Statement): Negation[] {
  const free = [...other.negations];
  return statement.negations.filter((negation) => {
    const twin = free.findIndex((candidate) =>
      candidate.scope.some((meaning) => negation.scope.includes(meaning)),
    );
    if (twin >= 0) free.splice(twin, 1);
    return twin < 0;
  });
}

function judge(pair: Pair, negation: Negation, side: "a" | "b"): Conflict[] {
  const [own, other] = side === "a" ? [pair.a, pair.b] : [pair.b, pair.a];
  const share = deniedShare(negation, other);
  const isClaimed = negation.isExplicit
    ? share >= 0.5
    : share >= 0.5 && pair.difference.overlap >= IMPLIED_OVERLAP;
  const place = placeIn(own, negation);
  const rest = wholeOf(other);
  const spans = side === "a" ? { a: place, b: rest } : { a: rest, b: place };
  if (isClaimed) {
    const confidence = Math.min(0.9, 0.5 + 0.4 * pair.difference.overlap);
    return [
      {
        kind: "negation",
        ...spans,
        confidence,
        reason: `one text says "${negation.text}" and the other does not`,
      },
    ];
  }
  return [
    { kind: "unsure", ...spans, confidence: 0.4, reason: `only one text says "${negation.text}"` },
  ];
}

/** An implied denial ("the build is broken") says what the other text denies only where the rest is nearly the same. */
const IMPLIED_OVERLAP = 0.4;

function deniedShare(negation: Negation, other: Statement): number {
  const said = new Set(other.content.map((word) => word.meaning));
  const scope = new Set(negation.scope);
  if (scope.size === 0) return 0;
  return [...scope].filter((meaning) => said.has(meaning)).length / scope.size;
}
