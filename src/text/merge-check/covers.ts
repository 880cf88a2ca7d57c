import { unitKey } from "./units.ts";

/**
 * Whether one sentence says all that another says, with more detail: every word, number, sign and piece of code of
 * `part` stands in `whole` in the same order, and `whole` has no denial, condition, doubt or other voice that `part` has
 * not, for one such word can turn the rest round.
 */
export function covers(whole: string, part: string): boolean {
  const [long, short] = [tokensOf(whole), tokensOf(part)];
  if (short.length === 0 || turnsOf(long).join(" ") !== turnsOf(short).join(" ")) return false;
  const places = findInOrder(long, short);
  return places !== undefined && !hasForeignName(whole, long, places);
}

/** Words, numbers, code and signs; articles left out, but for an "A" that is a name: "vitamin A", "plan a", "A calls B". */
function tokensOf(unit: string): readonly string[] {
  const named = unit
    .replace(CAPITAL_A, (letter) => letter + MARK)
    .replace(LABEL_A, (letter) => letter + MARK);
  return (unitKey(named).match(TOKEN) ?? []).filter((token) => !ARTICLES.has(token));
}

/** A letter that no text has behind an "a". */
const MARK = "\u02d0";
const CAPITAL_A = /(?<![\p{L}\p{N}_'./-])A(?![\p{L}\p{N}_'./-])/gu;
/** Behind a word that counts its kind, or before no word. */
const LABEL_A =
  /(?<![\p{L}\p{N}_'./-])(?:(?<=\b(?:appendix|block|category|class|client|cluster|grade|group|hepatitis|host|level|line|model|node|option|part|phase|plan|point|route|schedule|section|server|site|step|team|terminal|type|variant|version|vitamin|zone) )a(?![\p{L}\p{N}_'./-])|a(?=\s*(?:[.,;:!?)]|$)))/giu;

const TOKEN =
  /`[^`]*`|https?:\/\/[^\s)>\]]+|[\p{L}\p{M}\p{N}_]+(?:['.:/@,-](?=[\p{L}\p{N}_])[\p{L}\p{M}\p{N}_]+)*|[^\s\p{L}\p{M}\p{N}_.,;:!"'()[\]{}-]/gu;
const ARTICLES: ReadonlySet<string> = new Set(["a", "an", "the"]);

function turnsOf(tokens: readonly string[]): readonly string[] {
  return tokens.filter((token) => TURNS.test(token));
}

/** What changes the sense of the words around it: denials, conditions, exceptions, doubts, wishes, hearsay, questions. */
const TURNS =
  /^(?:no|not|never|none|nor|neither|nobody|nothing|without|cannot|.*n't|hardly|barely|rarely|seldom|former|formerly|previously|until|till|if|unless|except|excluding|only|but|however|although|though|instead|rather|while|when|before|after|may|might|could|would|should|must|can|maybe|perhaps|possibly|probably|likely|almost|nearly|sometimes|some|half|most|said|says|say|thinks?|thought|believes?|claims?|claimed|heard|told|asked|wants?|wanted|plans?|planned|hopes?|hoped|tried|tries|try|considers?|considering|refused|refuses|forbidden|banned|stopped|quit|failed|fails|lacks?|denies|denied|false|wrong|untrue|who|whose|which|is|are|was|were|be|been|has|have|had|did|will|used|\?|？)$/u;

/** The first place of each token in order, or undefined where one is missing. */
function findInOrder(
  long: readonly string[],
  short: readonly string[],
): readonly number[] | undefined {
  const places: number[] = [];
  let from = 0;
  for (const token of short) {
    const place = long.indexOf(token, from);
    if (place < 0) return undefined;
    places.push(place);
    from = place + 1;
  }
  return places;
}

/** "Kim likes tea" is not in "Kim knows Bo likes tea": a name put between the words may own what follows. */
function hasForeignName(
  whole: string,
  long: readonly string[],
  places: readonly number[],
): boolean {
  const names = new Set(
    Array.from(whole.matchAll(/(?<!^)(?<![.!?]\s)\b\p{Lu}[\p{L}\p{N}'-]*/gu), ([name]) =>
      name.toLowerCase(),
    ),
  );
  const [first = 0] = places;
  const last = places.at(-1) ?? 0;
  return long.some(
    (token, index) => index > first && index < last && !places.includes(index) && names.has(token),
  );
}
