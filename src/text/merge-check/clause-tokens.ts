/** A word, number, sign, piece of code or URL, in the form in which two sentences are compared: case counts, style of quotes does not. */
export interface Token {
  readonly key: string;
  /** Past its last character in the text. */
  readonly end: number;
  /** "the": may come and go. "a" may not: it can be a name, as in "plan a". */
  readonly isFree: boolean;
  /** A date in parentheses, which a merge may have put there. */
  readonly isDate: boolean;
}

/** The tokens of one sentence. Contractions are written out, a closing full stop is left out. */
export function tokensOf(sentence: string): readonly Token[] {
  const tokens = [...sentence.matchAll(TOKEN)].flatMap(({ 0: text, index }) =>
    keysOf(text).map((key): Token => {
      const isDate = ADDED_DATE.test(text);
      const isFree = key === "the" || (index === 0 && key === "The");
      return { key, end: index + text.length, isFree, isDate };
    }),
  );
  let end = tokens.length;
  while (end > 0 && CLOSING.has(tokens[end - 1]?.key ?? "")) end--;
  return tokens.slice(0, end);
}

const TOKEN =
  /`[^`]*`|https?:\/\/[^\s)>\]]+|\(\d{4}-\d{2}-\d{2}\)|[\p{L}\p{M}\p{N}_]+(?:['’.:/@,-][\p{L}\p{M}\p{N}_]+)*|\S/gu;
const ADDED_DATE = /^\(\d{4}-\d{2}-\d{2}\)$/u;
const CLOSING: ReadonlySet<string> = new Set([".", "!", "…", "。", "！"]);

function keysOf(text: string): readonly string[] {
  const plain = PLAIN_SIGNS.get(text) ?? text.replace(/’/gu, "'");
  const irregular = IRREGULAR.get(plain);
  if (irregular !== undefined) return irregular;
  if (plain.endsWith("n't")) return [plain.slice(0, -3), "not"];
  const [, word = "", short = ""] = /^(\p{L}+)'(re|ve|ll)$/u.exec(plain) ?? [];
  return word === "" ? [plain] : [word, LONG[short] ?? short];
}

const PLAIN_SIGNS: ReadonlyMap<string, string> = new Map([
  ["‘", "'"],
  ["’", "'"],
  ["“", '"'],
  ["”", '"'],
  ["–", "-"],
  ["—", "-"],
]);
const LONG: Readonly<Record<string, string>> = { re: "are", ve: "have", ll: "will" };
const IRREGULAR: ReadonlyMap<string, readonly string[]> = new Map([
  ["cannot", ["can", "not"]],
  ["can't", ["can", "not"]],
  ["won't", ["will", "not"]],
  ["I'm", ["I", "am"]],
]);
