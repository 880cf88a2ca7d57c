/** Lines of a version beyond this are counted, not shown: an issue is to be read. */
const SHOWN_LINES = 60;

/** Three versions of a text, line by line: what stood in all of them once, what a person made of it, and what the memory says now. */
export function diffThreeWays(versions: {
  /** `undefined`: no longer known. */
  readonly base: string | undefined;
  readonly theirs: string;
  readonly ours: string;
}): string {
  const { base, theirs, ours } = versions;
  const common = base === undefined ? [] : base.split("\n");
  return [
    ...section("as it was written", base === undefined ? ["(no longer known)"] : common),
    ...section("the note now", marked(common, theirs.split("\n"))),
    ...section("the memory now", marked(common, ours.split("\n"))),
  ].join("\n");
}

function section(name: string, lines: readonly string[]): readonly string[] {
  const rest = lines.length - SHOWN_LINES;
  const shown = lines.slice(0, SHOWN_LINES);
  return [`--- ${name}`, ...shown, ...(rest > 0 ? [`… and ${rest} lines more`] : [])];
}

/** `+` before lines that the base lacks, `-` before those that are gone, in the order of the text. */
function marked(base: readonly string[], lines: readonly string[]): readonly string[] {
  if (base.length === 0) return lines;
  const known = new Set(base);
  const kept = new Set(lines);
  return [
    ...base.filter((line) => !kept.has(line)).map((line) => `- ${line}`),
    ...lines.map((line) => (known.has(line) ? `  ${line}` : `+ ${line}`)),
  ];
}
