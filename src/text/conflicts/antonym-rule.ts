import { foldCase } from "../normalize.ts";
import { isDenied } from "./agreements.ts";
import type { Conflict } from "./conflict.ts";
import { type Pair, spanOfWords } from "./pair.ts";
import type { Statement } from "./statement.ts";
import type { Word } from "./words.ts";

/** The texts use words of opposite meaning, or put the same thing in opposite places. */
export function findAntonymConflicts(pair: Pair): readonly Conflict[] {
  return [...oppositeWords(pair), ...oppositePrepositions(pair)].slice(0, 1);
}

function oppositeWords(pair: Pair): Conflict[] {
  const onlyA = wordsMissingIn(pair.a, pair.b);
  const onlyB = wordsMissingIn(pair.b, pair.a);
  return onlyA.flatMap((a) =>
    onlyB
      .filter((b) => pair.antonyms.areOpposites(a.fold, b.fold))
      // "not open" and "closed" agree.
      .filter((b) => isDenied(a, pair.a) === isDenied(b, pair.b))
      .map((b) => claim(pair, [a], [b])),
  );
}

function wordsMissingIn(statement: Statement, other: Statement): readonly Word[] {
  const known = new Set(other.words.map((word) => word.meaning));
  return statement.words.filter(
    (word) => !known.has(word.meaning) && (!word.isStop || PRONOUNS.has(word.fold)),
  );
}

const PRONOUNS = new Set(["he", "she", "must", "may"]);

/** "the flight to Oslo" and "the flight from Oslo". */
function oppositePrepositions(pair: Pair): Conflict[] {
  const inB = placements(pair.b);
  return placements(pair.a).flatMap((a) => {
    const same = inB.filter((b) => b.object.meaning === a.object.meaning);
    const opposite = same.find((b) => areOppositePlaces(a.preposition.fold, b.preposition.fold));
    const isAlsoSaid = same.some((b) => b.preposition.fold === a.preposition.fold);
    return opposite === undefined || isAlsoSaid
      ? []
      : [claim(pair, [a.preposition, a.object], [opposite.preposition, opposite.object])];
  });
}

interface Placement {
  readonly preposition: Word;
  readonly object: Word;
}

function placements({ words }: Statement): Placement[] {
  return words.flatMap((preposition, index) => {
    const object = words
      .slice(index + 1, index + 4)
      .find((word) => !word.isStop && !PLACES.has(word.fold));
    return PLACES.has(preposition.fold) && object !== undefined ? [{ preposition, object }] : [];
  });
}

function areOppositePlaces(a: string, b: string): boolean {
  return a !== b && OPPOSITE_PLACES.some((group) => group.includes(a) && group.includes(b));
}

const OPPOSITE_PLACES = [
  ["to", "from"],
  ["into", "out", "from"],
  ["with", "without"],
  ["before", "after", "during"],
  ["for", "against"],
  ["up", "down"],
  ["inside", "outside"],
  ["on", "onto", "off"],
  ["on", "under", "below", "beneath", "behind", "beside"],
  ["over", "under"],
  ["above", "below", "under"],
  ["in", "outside", "under", "behind"],
];
const PLACES = new Set(OPPOSITE_PLACES.flat());

function claim(pair: Pair, a: readonly Word[], b: readonly Word[]): Conflict {
  const [spanA, spanB] = [spanOfWords(pair.a, a), spanOfWords(pair.b, b)];
  return {
    kind: "antonym",
    a: spanA,
    b: spanB,
    confidence: Math.min(0.9, 0.5 + 0.4 * pair.difference.overlap),
    reason: `"${foldCase(spanA.text)}" is the opposite of "${foldCase(spanB.text)}"`,
  };
}
