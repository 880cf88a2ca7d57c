import { remembering } from "./remembering.ts";

/** A vocabulary; what is rarer is worked out again. */
const MOST_WORDS = 20_000;

/**
 * A word's base form, for comparing English words: a small stemmer that would rather leave a word alone than join two
 * different ones. The input is folded (`foldCase`).
 */
export const lemma: (word: string) => string = remembering(findLemma, MOST_WORDS);

function findLemma(word: string): string {
  const bare = word.endsWith("'s") ? word.slice(0, -2) : word.replace(/'$/u, "");
  const irregular = IRREGULAR.get(bare);
  if (irregular !== undefined) return irregular;
  if (!/^[a-z-]+$/u.test(bare)) return bare;
  for (const [suffix, replacement] of SUFFIXES) {
    if (
      bare.endsWith(suffix) &&
      bare.length - suffix.length >= MINIMUM_STEM &&
      !/(?:ss|us|is)$/u.test(bare)
    ) {
      const stem = bare.slice(0, -suffix.length) + replacement;
      return suffix === "ing" || suffix === "ed" ? restoreEnding(stem) : stem;
    }
  }
  return bare;
}

/** The forms under which a word may stand in a list: itself, its lemma, and the lemma with a silent e ("us-ing", "use"). */
export const wordForms: (word: string) => readonly string[] = remembering((word) => {
  const base = lemma(word);
  return [...new Set([word, base, `${base}e`])];
}, MOST_WORDS);

/** Every word with this base form begins with one of these: what to look for before splitting a text into words. */
export function possibleStarts(base: string): readonly string[] {
  // A suffix may replace the last letter ("cities" is city, "using" is use).
  const regular = base.length > 1 ? base.slice(0, -1) : base;
  const irregular = FORMS_BY_BASE.get(base) ?? [];
  return [regular, ...irregular.filter((form) => !form.startsWith(regular))];
}

/** Whether two folded words are forms of one word: "deploys" and "deployed", "use" and "using". */
export function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const [x, y] = [lemma(a), lemma(b)];
  return x === y || `${x}e` === y || x === `${y}e`;
}

const MINIMUM_STEM = 3;

const SUFFIXES: readonly (readonly [string, string])[] = [
  ["ies", "y"],
  ["ied", "y"],
  ["sses", "ss"],
  ["xes", "x"],
  ["ches", "ch"],
  ["shes", "sh"],
  ["ing", ""],
  ["ed", ""],
  ["s", ""],
];

/** "stopp" is stop, "smok" is smoke: English doubles the last consonant of a short verb unless an e follows it. */
function restoreEnding(stem: string): string {
  const last = stem.at(-1) ?? "";
  if (stem.length > MINIMUM_STEM && last === stem.at(-2) && !"lszaeo".includes(last))
    return stem.slice(0, -1);
  return SILENT_E.test(stem) ? `${stem}e` : stem;
}

const SILENT_E =
  /^[^aeiou]*[aeiouy][^aeiouwxy]$|[vcuz]$|(?<![ae])at$|(?<!s)s$|(?:[aeo]|qu)[gi][rn]$|dg$|[aiu]bl$/u;

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    be: "am is are was were been being",
    have: "has had having",
    do: "does did done doing",
    go: "goes went gone going",
    eat: "ate eaten",
    run: "ran running runs",
    buy: "bought",
    leave: "left leaves",
    stand: "stood",
    sit: "sat sitting",
    sleep: "slept",
    quit: "quitting quits",
    write: "wrote written writing",
    speak: "spoke spoken",
    take: "took taken taking",
    give: "gave given giving",
    make: "made making",
    get: "got gotten getting",
    see: "saw seen",
    know: "knew known",
    say: "said",
    tell: "told",
    think: "thought",
    find: "found",
    hold: "held",
    keep: "kept",
    lead: "led",
    lose: "lost losing",
    meet: "met",
    pay: "paid",
    send: "sent",
    sell: "sold",
    set: "setting sets",
    teach: "taught",
    wear: "wore worn",
    win: "won winning",
    drive: "drove driven driving",
    ride: "rode ridden riding",
    fly: "flew flown flies",
    begin: "began begun beginning",
    build: "built",
    break: "broke broken breaks",
    choose: "chose chosen choosing",
    child: "children",
    person: "people",
    man: "men",
    woman: "women",
    foot: "feet",
    mouse: "mice",
    life: "lives",
    need: "needs needed",
    use: "used using uses",
    work: "works worked working",
    this: "this",
    news: "news",
    always: "always",
  }).flatMap(([base, forms]) => [base, ...forms.split(" ")].map((form) => [form, base] as const)),
);

const FORMS_BY_BASE: ReadonlyMap<string, readonly string[]> = indexForms();

function indexForms(): Map<string, readonly string[]> {
  const forms = new Map<string, readonly string[]>();
  for (const [form, base] of IRREGULAR) forms.set(base, [...(forms.get(base) ?? []), form]);
  return forms;
}
