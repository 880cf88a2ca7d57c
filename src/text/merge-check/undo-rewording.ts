import { type Token, tokensOf } from "./clause-tokens.ts";
import { covers } from "./covers.ts";
import { splitUnits, unitKey } from "./units.ts";

export interface Undone {
  /** The sentences of the sources that the text is made of, as the sources have them but for dates that it added. */
  readonly told: readonly string[];
  /** What is made of no source's sentences, or not in a way that surely keeps their sense. */
  readonly unknown: readonly string[];
}

/**
 * Takes a reworded text apart into the sentences of its sources. Allowed is only what this can undo: another order, whole statements
 * joined by ";" or ", and", "also" and its like before one, "the" more or less, contractions written out or short. Every other word,
 * number, name, sign, and the case of letters must be as a source has it, in its order, in one piece.
 */
export function undoRewording(text: string, sources: readonly string[]): Undone {
  const sentences = sentencesOf(sources);
  const told: Clause[] = [];
  const unknown: string[] = [];
  for (const unit of splitUnits(text)) {
    const clauses = takeApart(unit, sentences);
    const areInPlace = clauses?.every(({ sentence }, at) =>
      isInPlace(sentence, (clauses[at - 1] ?? told.at(-1))?.sentence),
    );
    if (clauses && areInPlace) told.push(...clauses);
    else unknown.push(unit);
  }
  return { told: told.map((clause) => clause.text), unknown };
}

interface Sentence {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The sentences before it, of each source that has it; `undefined` where it comes first. */
  readonly before: readonly (string | undefined)[];
}

function sentencesOf(sources: readonly string[]): readonly Sentence[] {
  const before = new Map<string, (string | undefined)[]>();
  for (const source of sources) {
    for (const [at, text] of splitUnits(source).entries()) {
      before.set(text, [...(before.get(text) ?? []), splitUnits(source)[at - 1]]);
    }
  }
  return [...before].map(([text, all]) => ({ text, tokens: tokensOf(text), before: all }));
}

interface Clause {
  readonly sentence: Sentence;
  /** The sentence with the dates that the reworded text has in it. */
  readonly text: string;
}

function takeApart(unit: string, sentences: readonly Sentence[]): readonly Clause[] | undefined {
  const same = sentences.find(({ text }) => text === unit);
  if (same !== undefined) return [{ sentence: same, text: same.text }];
  return parse(tokensOf(unit), sentences);
}

/** A statement, and those joined behind it. */
interface Chain {
  readonly clause: Clause;
  readonly rest: Chain | undefined;
}

/**
 * One statement after the other; `undefined` where something is none, or could say something else once it is joined. From the end, so that
 * a text of any length takes its length times the sentences.
 */
function parse(
  tokens: readonly Token[],
  sentences: readonly Sentence[],
): readonly Clause[] | undefined {
  const chains = new Map<number, Chain>();
  for (let from = tokens.length - 1; from >= 0; from--) {
    for (const sentence of sentences) {
      const chain = chainWith(sentence, { tokens, from, chains });
      if (chain === undefined) continue;
      chains.set(from, chain);
      break;
    }
  }
  const first = chains.get(afterLink(tokens, 0));
  if (first === undefined) return undefined;
  const clauses: Clause[] = [];
  for (let at: Chain | undefined = first; at !== undefined; at = at.rest) clauses.push(at.clause);
  return clauses;
}

function chainWith(
  sentence: Sentence,
  place: {
    readonly tokens: readonly Token[];
    readonly from: number;
    readonly chains: ReadonlyMap<number, Chain>;
  },
): Chain | undefined {
  const { tokens, from, chains } = place;
  const match = matchAt(tokens, from, sentence);
  if (match === undefined) return undefined;
  const clause: Clause = { sentence, text: match.text };
  if (match.end === tokens.length) return { clause, rest: undefined };
  const joint = jointAt(tokens, match.end);
  if (joint === undefined || !mayStandBefore(sentence, joint.sign)) return undefined;
  const rest = chains.get(afterLink(tokens, joint.end));
  return rest && mayBeJoined(rest.clause.sentence) ? { clause, rest } : undefined;
}

/** Where the sentence ends that stands at a place, and its text with the dates found there; `undefined`: another stands there. */
function matchAt(
  tokens: readonly Token[],
  from: number,
  sentence: Sentence,
): { readonly end: number; readonly text: string } | undefined {
  const dates: { readonly after: number; readonly date: string }[] = [];
  let [at, past, isFirst] = [from, 0, true];
  const isSaid = (wanted: Token): boolean => {
    const token = tokens[at];
    return token !== undefined && isSame(token, wanted, isFirst);
  };
  const skipDates = (): void => {
    for (let token = tokens[at]; token?.isDate && !isFirst; token = tokens[++at]) {
      dates.push({ after: past, date: token.key });
    }
  };
  for (const wanted of sentence.tokens) {
    if (!isSaid(wanted)) skipDates();
    if (!isSaid(wanted) && tokens[at]?.isFree) at++;
    if (isSaid(wanted)) [at, isFirst] = [at + 1, false];
    else if (!wanted.isFree) return undefined;
    past = wanted.end;
  }
  skipDates();
  return isFirst ? undefined : { end: at, text: withDates(sentence.text, dates) };
}

function withDates(
  text: string,
  dates: readonly { readonly after: number; readonly date: string }[],
): string {
  return dates.reduceRight(
    (dated, { after, date }) => `${dated.slice(0, after)} ${date}${dated.slice(after)}`,
    text,
  );
}

/** The first letter of a sentence may change its case where that makes no name of a word, or the reverse. */
function isSame(token: Token, wanted: Token, isFirst: boolean): boolean {
  if (token.key === wanted.key) return true;
  if (!isFirst || token.key.toLowerCase() !== wanted.key.toLowerCase()) return false;
  const wasLower = wanted.key === wanted.key.toLowerCase();
  return wasLower ? token.key === capital(wanted.key) : FIRST_WORDS.has(token.key);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Words that have a capital only for beginning a sentence. */
const FIRST_WORDS: ReadonlySet<string> = new Set(
  "the this that these those it they he she we you there here all each every some both its their his her our your my".split(
    " ",
  ),
);

/** Past an "also" and its like, with its comma. */
function afterLink(tokens: readonly Token[], from: number): number {
  const said = (at: number): string => tokens[at]?.key.toLowerCase() ?? "";
  const isTwo = said(from) === "in" && said(from + 1) === "addition";
  if (!isTwo && !LINKS.has(said(from))) return from;
  const past = from + (isTwo ? 2 : 1);
  return said(past) === "," ? past + 1 : past;
}

const LINKS: ReadonlySet<string> = new Set(["also", "additionally", "moreover", "furthermore"]);

interface Joint {
  readonly sign: ";" | ",";
  readonly end: number;
}

/** ";", "; and" or ", and". "and" alone could join two words of the sentences instead of the sentences. */
function jointAt(tokens: readonly Token[], at: number): Joint | undefined {
  const [sign, word] = [tokens[at]?.key, tokens[at + 1]?.key];
  if (sign === ";") return { sign, end: word === "and" ? at + 2 : at + 1 };
  return sign === "," && word === "and" ? { sign, end: at + 2 } : undefined;
}

/** Whether what is joined behind it cannot come under its condition, its denial, its speaker, its day. */
function mayStandBefore(sentence: Sentence, sign: Joint["sign"]): boolean {
  if (!mayBeJoined(sentence)) return false;
  return sign === ";" || !(/[,;]/u.test(sentence.text) || OPENS.test(sentence.text));
}

function mayBeJoined({ text, tokens }: Sentence): boolean {
  if (/[?？"“”«»\n]|:(?=\s|$)|^\s*(?:[-*+#>|]|\d+[.)])/u.test(text)) return false;
  return !tokens.some(({ key }) => REACHES.test(key));
}

/** Words whose reach could grow when another statement stands beside them. */
const REACHES =
  /^(?:not|no|never|none|nor|neither|nobody|nothing|without|hardly|barely|rarely|seldom|or|either|both|between|than|if|unless|except|only|but|however|although|though|instead|rather|while|when|whenever|where|whether|before|after|until|till|since|because|so|that|which|who|whose|whom|why|how|what|may|might|could|would|should|must|can|shall|maybe|perhaps|possibly|probably|likely|almost|nearly|sometimes|some|half|most|said|says?|saying|tells?|told|thinks?|thought|knows?|knew|believes?|believed|claims?|claimed|heard|hears?|asked|asks?|wants?|wanted|wishes|wished|plans?|planned|hopes?|hoped|expects?|expected|tried|tries|try|considers?|considering|feels?|felt|agrees?|agreed|denies|denied|refuses|refused|fails|failed|stopped|quit|lacks?|false|wrong|untrue|respectively)$/iu;

/** What stands before a statement holds for the next one too: "In May, …, and …". */
const OPENS =
  /^(?:in|on|at|by|for|from|during|as|with|under|over|within|every|each|today|yesterday|tomorrow|tonight|now|currently|last|next|this|once|always|often|usually|then|later)\b/iu;

/** Who "it" is depends on the sentence before. */
function isInPlace({ tokens, before }: Sentence, toldBefore: Sentence | undefined): boolean {
  if (!tokens.some(({ key }) => REFERS.test(key))) return true;
  return before.some((one) => {
    if (one === undefined) return true;
    if (toldBefore === undefined) return false;
    return unitKey(toldBefore.text) === unitKey(one) || covers(toldBefore.text, one);
  });
}

const REFERS =
  /^(?:it|its|itself|they|them|their|theirs|he|him|his|she|her|hers|this|that|these|those|such|former|latter|then|there|here|so|otherwise|therefore|thus|instead|later|afterwards|one|ones|same|both|another|other)$/iu;
