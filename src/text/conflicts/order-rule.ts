import type { Conflict } from "./conflict.ts";
import { type Pair, spanOfWords } from "./pair.ts";
import type { Statement } from "./statement.ts";
import { listsOf, shareAList } from "./word-lists.ts";
import type { Word } from "./words.ts";

/** The same words with their parts exchanged: "Kim reports to Dave", "Dave reports to Kim". */
export function findOrderConflicts(pair: Pair): readonly Conflict[] {
  const { onlyA, onlyB } = pair.difference;
  if (
    onlyA.length + onlyB.length > MAXIMUM_OTHER_WORDS ||
    isSymmetric(pair.a) ||
    isSymmetric(pair.b)
  )
    return [];
  const exchange = exchangesOf(pair).find(
    ({ a: [first, second] }) =>
      canExchange(pair, first, second) && !areJoined(pair.a, first.word, second.word),
  );
  return exchange === undefined ? [] : [claim(pair, exchange)];
}

const EQUATION = /\b(?:is|are|was|were)\s+(?!not\b)(?!\w+(?:ing|ed|en)\b)/iu;

/** Two words with their roles in either text. */
interface Exchange {
  readonly a: readonly [Role, Role];
  readonly b: readonly [Role, Role];
  /** "Rome is the capital" says the same as "The capital is Rome". */
  readonly isEquation: boolean;
}

/** Every two words of both texts that have changed places. */
function exchangesOf(pair: Pair): Exchange[] {
  const isEquation = EQUATION.test(pair.a.text) && EQUATION.test(pair.b.text);
  const inB = new Map(rolesOf(pair.b).map((role) => [role.word.meaning, role]));
  const common = rolesOf(pair.a).flatMap((role) => {
    const other = inB.get(role.word.meaning);
    return other === undefined ? [] : [[role, other] as const];
  });
  return common.flatMap(([firstA, firstB], index) =>
    common
      .slice(index + 1)
      .map(
        ([secondA, secondB]): Exchange => ({
          a: [firstA, secondA],
          b: [firstB, secondB],
          isEquation,
        }),
      )
      .filter(hasChangedPlaces),
  );
}

/** How many content words may differ besides; beyond that, another order is just another wording. */
const MAXIMUM_OTHER_WORDS = 1;

interface Role {
  readonly word: Word;
  /** The preposition that governs the word; "" for subject and object. */
  readonly preposition: string;
  /** Reading order in the active voice: the doer of a passive sentence ("by Kim") comes first. */
  readonly position: number;
}

/** Every content word that occurs once, with its role. */
function rolesOf({ text, words }: Statement): Role[] {
  const isPassive = PASSIVE.test(text);
  const content = words.filter((word) => !word.isStop || word.isName);
  return content
    .filter((word) => content.filter((other) => other.meaning === word.meaning).length === 1)
    .map((word) => {
      const preposition = prepositionBefore(words, words.indexOf(word));
      const isDoer = isPassive && preposition === "by";
      return isDoer
        ? { word, preposition: "", position: -1 }
        : { word, preposition, position: word.start };
    });
}

const PASSIVE =
  /\b(?:is|are|was|were|been|being|be|gets?|got)\s+(?:\w+ly\s+)?\w+(?:ed|en|wn|ght|de|ld|t|ne|nt|ng|ut|ad|id)\s+(?:\w+\s+){0,4}by\b/iu;

/** Looks back over articles, numbers, the rest of a name, and one adjective. */
function prepositionBefore(words: readonly Word[], index: number): string {
  let adjectives = words[index]?.isName === true ? 0 : 1;
  for (const word of words.slice(Math.max(0, index - MAXIMUM_LOOKBACK), index).reverse()) {
    if (PREPOSITIONS.has(word.fold)) return word.fold;
    if (word.isStop || word.isName || isNumber(word)) continue;
    adjectives--;
    if (adjectives < 0) return "";
  }
  return "";
}

const MAXIMUM_LOOKBACK = 4;

const PREPOSITIONS = new Set(
  "to from by for with over than of before after under above below behind into onto at on in against without via through".split(
    " ",
  ),
);

/**
 * Names, numbers and members of one list can stand for each other, and so can any two words of which a preposition says
 * who is where. Any others look exchanged whenever a text is reworded, so there the exchange must be all that differs.
 */
function canExchange({ a, b }: Pair, first: Role, second: Role): boolean {
  const [x, y] = [first.word, second.word];
  if (shareAList(x.lemma, y.lemma) || (isNumber(x) && isNumber(y)) || areUnlistedNames(x, y)) {
    return first.preposition === "" || second.preposition === "" || DIRECTED.has(first.preposition);
  }
  if (DIRECTED.has(first.preposition) !== DIRECTED.has(second.preposition)) return true;
  return isSameButExchanged(a.content, b.content, [x, y]);
}

/** Prepositions whose two sides can be told apart by nothing but their order. */
const DIRECTED = new Set(
  "to from over than before after under above below behind into onto on against".split(" "),
);

/** "Turkish" and "Kim" are both capitalised, but no one is the mother tongue of the other. */
function areUnlistedNames(x: Word, y: Word): boolean {
  return x.isName && y.isName && listsOf(x.lemma).length === 0 && listsOf(y.lemma).length === 0;
}

function isSameButExchanged(
  a: readonly Word[],
  b: readonly Word[],
  [x, y]: readonly [Word, Word],
): boolean {
  // "a green pepper" and "a pepper which is green".
  const areNeighbours = Math.abs(a.indexOf(x) - a.indexOf(y)) === 1;
  const exchanged = a.map((word) => (word === x ? y : word === y ? x : word).meaning);
  return !areNeighbours && exchanged.join(" ") === b.map((word) => word.meaning).join(" ");
}

function isNumber(word: Word): boolean {
  return /^\d/u.test(word.fold);
}

function hasChangedPlaces({
  a: [firstA, secondA],
  b: [firstB, secondB],
  isEquation,
}: Exchange): boolean {
  // Prepositions settle who is who: "to Dave, Kim reports" keeps its meaning in any order.
  if (firstA.preposition !== secondA.preposition) {
    return firstB.preposition === secondA.preposition && secondB.preposition === firstA.preposition;
  }
  if (isEquation) return false;
  const isReversed = firstA.position < secondA.position !== firstB.position < secondB.position;
  return (
    isReversed &&
    firstB.preposition === firstA.preposition &&
    secondB.preposition === secondA.preposition
  );
}

/** "Ann and Bo", "tea, coffee": order says nothing. */
function areJoined({ text, words }: Statement, first: Word, second: Word): boolean {
  const between = text.slice(first.end, second.start);
  const inside = words.filter((word) => word.start >= first.end && word.end <= second.start);
  return (
    /^(?:[\s,;/&]|\band\b|\bor\b|\bplus\b)*$/iu.test(between) ||
    (inside.length <= 6 &&
      /,|\band\b|\bor\b|&/u.test(between) &&
      inside.every((word) => word.isStop || word.isName))
  );
}

function isSymmetric({ text }: Statement): boolean {
  return SYMMETRIC.test(text);
}

const SYMMETRIC =
  /\b(?:married to|siblings? of|cousins? of|friends? (?:of|with)|next to|same as|equals?|equal to|similar to|identical to|related to|near|between|together with|meets? with|met with|adjacent to|opposite|twin of|neighbou?rs? (?:of|with)|compared (?:to|with))\b/iu;

function claim(pair: Pair, { a, b }: Exchange): Conflict {
  const inOrder = (roles: readonly [Role, Role]) =>
    roles.map(({ word }) => word).sort((x, y) => x.start - y.start);
  const isExact = pair.difference.onlyA.length + pair.difference.onlyB.length === 0;
  return {
    kind: "word_order",
    a: spanOfWords(pair.a, inOrder(a)),
    b: spanOfWords(pair.b, inOrder(b)),
    confidence: isExact ? 0.8 : 0.6,
    reason: `"${a[0].word.text}" and "${a[1].word.text}" change places`,
  };
}
