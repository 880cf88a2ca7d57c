import { lemma, wordForms } from "../lemma.ts";
import { foldCase } from "../normalize.ts";

export interface AntonymLexicon {
  /** Whether the two words, in any inflection, are opposites. */
  readonly areOpposites: (a: string, b: string) => boolean;
}

/** Builds the lexicon from pairs of opposites, such as those of `assets/antonyms.json`; everyday pairs that lists lack are added. */
export function createAntonymLexicon(
  pairs: readonly (readonly [string, string])[],
): AntonymLexicon {
  const opposites = new Map<string, Set<string>>();
  for (const [a, b] of [...pairs, ...EVERYDAY_PAIRS]) {
    if (NOT_OPPOSITES.has(pairKey(a, b))) continue;
    addOpposite(opposites, foldCase(a), foldCase(b));
    addOpposite(opposites, foldCase(b), foldCase(a));
  }
  return {
    areOpposites: (a, b) => hasPair(opposites, a, b) || isNegatedForm(a, b) || isNegatedForm(b, a),
  };
}

function addOpposite(opposites: Map<string, Set<string>>, word: string, opposite: string): void {
  const known = opposites.get(word);
  if (known === undefined) opposites.set(word, new Set([opposite]));
  else known.add(opposite);
}

function hasPair(
  opposites: ReadonlyMap<string, ReadonlySet<string>>,
  a: string,
  b: string,
): boolean {
  const others = wordForms(b);
  return wordForms(a).some((form) => {
    const known = opposites.get(form);
    return known !== undefined && others.some((other) => known.has(other));
  });
}

/** "paid" and "unpaid", "wired" and "wireless", "useful" and "useless". */
function isNegatedForm(word: string, negated: string): boolean {
  if (word.length < 3 || negated.length <= word.length - 3) return false;
  if (negated.endsWith("less") && isStemOf(negated.slice(0, -"less".length), word)) return true;
  return hasNegativePrefix(word, negated) || hasNegativePrefix(lemma(word), lemma(negated));
}

function hasNegativePrefix(word: string, negated: string): boolean {
  return negated.endsWith(word) && PREFIXES.has(negated.slice(0, -word.length));
}

function isStemOf(stem: string, word: string): boolean {
  return stem.length > 2 && [stem, `${stem}d`, `${stem}ed`, `${stem}ful`].includes(word);
}

function pairKey(a: string, b: string): string {
  return [foldCase(a), foldCase(b)].sort().join(" ");
}

const PREFIXES: ReadonlySet<string> = new Set([
  "un",
  "in",
  "im",
  "dis",
  "non",
  "non-",
  "ir",
  "il",
  "mis",
  "de",
]);

function parsePairs(list: string): readonly (readonly [string, string])[] {
  return list.split(" ").map((pair) => {
    const [a = "", b = ""] = pair.split("/");
    return [a, b] as const;
  });
}

/** Opposites of everyday notes that WordNet does not list as such. */
const EVERYDAY_PAIRS = parsePairs(
  "enable/disable enabled/disabled always/never often/rarely often/never usually/rarely sometimes/never sometimes/always " +
    "approve/reject approved/rejected accept/reject accept/decline before/after older/younger elder/younger succeed/fail " +
    "success/failure pass/fail completed/failed successfully/failed works/broken fixed/broken working/broken increase/decrease " +
    "rise/fall grow/shrink love/hate like/dislike like/hate love/dislike enjoy/hate prefer/dislike prefer/avoid everyone/nobody " +
    "everybody/nobody everything/nothing all/none every/no public/private first/last single/married open/closed open/shut " +
    "start/stop begin/end allow/forbid allowed/forbidden allow/deny permit/forbid support/drop support/oppose employed/unemployed " +
    "sync/async synchronous/asynchronous required/optional mandatory/optional must/optional required/forbidden include/exclude " +
    "expensive/cheap more/less more/fewer many/few most/least up/down over/under above/below with/without asleep/awake " +
    "sleep/wake empty/full fast/slow faster/slower wet/dry hot/cold warm/cool early/late earlier/later long/short short/detailed " +
    "concise/detailed brief/detailed concise/verbose short/verbose simple/complex simple/complicated online/offline local/remote " +
    "remote/onsite manual/automatic manually/automatically static/dynamic upgrade/downgrade install/uninstall add/remove " +
    "create/delete keep/delete keep/remove lock/unlock encrypt/decrypt merge/split push/pull buy/sell win/lose hire/fire arrive/depart " +
    "arrive/leave join/leave enter/leave enter/exit import/export read-only/writable light/dark day/night daytime/nighttime morning/evening " +
    "inside/outside indoors/outdoors indoor/outdoor near/far close/far front/back left/right north/south east/west high/low " +
    "big/small large/small large/tiny big/tiny huge/tiny small/huge small/massive small/enormous little/big little/large little/huge tiny/massive tall/short thin/thick thin/fat young/old new/old rich/poor good/bad better/worse " +
    "best/worst easy/difficult easy/hard safe/unsafe safe/dangerous strong/weak happy/sad clean/dirty loud/quiet noisy/quiet " +
    "alive/dead true/false right/wrong correct/wrong correct/incorrect same/different together/apart together/separately " +
    "introvert/extrovert introverted/extroverted optimistic/pessimistic beginner/expert novice/expert junior/senior " +
    "temporary/permanent available/unavailable busy/free confirmed/cancelled confirmed/canceled scheduled/cancelled " +
    "scheduled/canceled active/inactive stable/unstable deprecated/supported ascending/descending minimum/maximum min/max " +
    "horizontal/vertical internal/external primary/secondary odd/even guilty/innocent present/absent attend/miss remember/forget " +
    "agree/disagree agree/refuse win/lost gain/lose save/waste rent/own owner/tenant lend/borrow teach/learn " +
    "male/female man/woman boy/girl husband/wife brother/sister son/daughter father/mother mom/dad mum/dad uncle/aunt king/queen he/she " +
    "stand/sit standing/sitting walk/run smile/frown laugh/cry whisper/shout",
);

/** WordNet opposites that describe different people or things rather than disagree. */
const NOT_OPPOSITES: ReadonlySet<string> = new Set(
  parsePairs("actor/actress gentleman/lady user/nonuser go/come take/give can/can't be/differ").map(
    ([a, b]) => pairKey(a, b),
  ),
);
