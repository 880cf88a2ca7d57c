/**
 * The comparison form of a text: two texts with the same form are exact copies of each other.
 *
 * NFC, case fold, one space for any run of white space, plain quotes and hyphens, no closing full stop or exclamation
 * mark. Letters of every script are kept. Code spans, fenced blocks and one-letter flags keep their case and spacing:
 * `-v` and `-V`, or two indentations, are different programs.
 */
export function normalizeText(text: string): string {
  const parts = text.normalize("NFC").split(VERBATIM);
  // The one capturing group of VERBATIM puts what it matched at the odd places.
  const folded = parts.map((part, index) => (index % 2 === 1 ? part : normalizeProse(part)));
  return trimClosing(folded.join("").trim());
}

/**
 * Lower case for comparison, after Unicode's default case folding. `toUpperCase` is not used on the way: it would join
 * the dotless ı with i, which are different letters.
 */
export function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFC").toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ");
}

/** Curly quotes, the many hyphens and dashes, and non-breaking spaces as their plain forms; the length is unchanged. */
export function plainPunctuation(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .replace(/[‘’‚‛′＇]/gu, "'")
    .replace(/[“”„‟«»″＂]/gu, '"')
    .replace(/[‐‑‒–—―−﹣－]/gu, "-")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu, " ");
}

/** Most words and names: none of the forms that are made alike here is among them. */
const ASCII = /^[\0-\x7f]*$/;

const VERBATIM = /(```[\s\S]*?```|~~~[\s\S]*?~~~|`[^`\n]+`|(?<![\w-])-[A-Za-z](?![\w-]))/u;

/** Without closing white space, full stops and exclamation marks. A loop, for the pattern would be quadratic on "........x". */
function trimClosing(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.!…。！．｡]/u.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

// Soft hyphens, zero-width spaces and byte order marks change nothing that a reader sees. Joiners stay: Persian spelling
// and emoji depend on them.
const INVISIBLE = /[\u00ad\u200b\ufeff]/gu;

function normalizeProse(text: string): string {
  return foldCase(plainPunctuation(text.replace(INVISIBLE, ""))).replace(/\s+/gu, " ");
}
