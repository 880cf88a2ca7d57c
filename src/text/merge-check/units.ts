/** The sentences, list items, headings and code blocks of a text, trimmed. */
export function splitUnits(text: string): readonly string[] {
  const units: string[] = [];
  let from = 0;
  for (const block of text.matchAll(CODE_BLOCK)) {
    units.push(...splitProse(text.slice(from, block.index)), block[0].trim());
    from = block.index + block[0].length;
  }
  units.push(...splitProse(text.slice(from)));
  return units.filter((unit) => unit !== "");
}

/**
 * The form in which two units are compared: white space, case, the style of quotes and dashes, and a closing full stop
 * do not count. Code keeps its case and, in blocks, its white space.
 */
export function unitKey(unit: string): string {
  if (/^(?:```|~~~)/u.test(unit)) return unit;
  const key = unit
    .normalize("NFC")
    .split(/(`[^`\n]*`)/u)
    .map((part, index) => (index % 2 === 1 ? part : plain(part)))
    .join("")
    .trim();
  let end = key.length;
  while (end > 0 && /[\s.!…。！]/u.test(key.charAt(end - 1))) end--;
  return key.slice(0, end);
}

const CODE_BLOCK = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[ \t]*$|(?![\s\S]))/gmu;

function splitProse(prose: string): string[] {
  // A line that goes on in lower case continues the paragraph, unless it is a "key: value" line.
  const unwrapped = prose.replace(
    /(?<=\S)[ \t]*\r?\n[ \t]*(?=\p{Ll})(?![\p{L}\p{N}_ .-]{1,30}:\s)/gu,
    " ",
  );
  return unwrapped.split(/[\r\n]+/u).flatMap(splitLine);
}

function splitLine(line: string): string[] {
  const units: string[] = [];
  let from = 0;
  for (const stop of line.matchAll(/(?<![.!?…])[.!?…]+["'”’»)\]]*(?=\s)|[。！？]+[」』”’）]*/gu)) {
    const end = stop.index + stop[0].length;
    if (!endsUnit(line.slice(from, stop.index), stop[0], line.slice(end).trimStart())) continue;
    units.push(line.slice(from, end).trim());
    from = end;
  }
  units.push(line.slice(from).trim());
  return units;
}

function endsUnit(before: string, stop: string, next: string): boolean {
  const goesOnInLowerCase = /^\p{Ll}/u.test(next);
  if (/["'”’»)\]]/u.test(stop) && goesOnInLowerCase) return false;
  if (/^\.\.|…/u.test(stop)) return !goesOnInLowerCase;
  if (!stop.startsWith(".")) return true;
  const word = /[\p{L}\p{N}.]*$/u.exec(before)?.[0] ?? "";
  return !(ABBREVIATION.test(word) || /^\s*(?:[-*+]\s+)?\d{1,3}$/u.test(before));
}

// Better to leave two sentences together than to cut a name from its title: parts could then be exchanged unseen.
const ABBREVIATION =
  /^(?:\p{L}|.*\p{L}\.\p{L}|dr|mr|mrs|ms|prof|st|mt|vs|etc|eg|ie|no|approx|inc|ltd|corp|co|jr|sr|dept|fig|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|art|vol|pp|ca|cf)$/iu;

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[‘’‚′]/gu, "'")
    .replace(/[“”„«»″]/gu, '"')
    .replace(/[‐‑–—−]/gu, "-")
    .replace(/\s+/gu, " ");
}
