/** An index is read as a whole, by people and by agents: known readers stop after 200 lines or 25,000 bytes, and say nothing. */
const MAX_LINES = 200;
const MAX_BYTES = 25_000;

/**
 * The first lines that fit, and how many entries are left out. Lines that begin with `-` are entries; others are headings, with
 * empty lines around them, and one without any of its entries goes too.
 */
export function withinBudget(lines: readonly string[]): {
  readonly lines: readonly string[];
  readonly leftOut: number;
} {
  let bytes = 0;
  let height = 0;
  let fitting = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    height += line.split("\n").length;
    if (height > MAX_LINES || bytes > MAX_BYTES) break;
    fitting += 1;
  }
  while (fitting > 0 && fitting < lines.length && !isEntry(lines[fitting - 1])) fitting -= 1;
  return { lines: lines.slice(0, fitting), leftOut: lines.slice(fitting).filter(isEntry).length };
}

function isEntry(line: string | undefined): boolean {
  return line?.startsWith("-") === true;
}
