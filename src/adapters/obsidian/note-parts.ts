/**
 * A note's text in pieces that, joined in this order, give it back byte for byte. `properties` is what stands between the two fences,
 * `undefined` where the note has none.
 */
export interface NoteParts {
  readonly bom: string;
  readonly open: string;
  readonly properties: string | undefined;
  readonly close: string;
  readonly body: string;
  readonly eol: "\n" | "\r\n";
}

/**
 * Splits as Obsidian does: properties start only where the first line is `---` alone, and end at the next such line.
 * `undefined`: they start and never end.
 */
export function splitNote(text: string): NoteParts | undefined {
  const bom = text.startsWith("\ufeff") ? "\ufeff" : "";
  const rest = text.slice(bom.length);
  const eol = /\r?\n/.exec(rest)?.[0] === "\r\n" ? "\r\n" : "\n";
  const open = /^---[ \t]*\r?\n/.exec(rest)?.[0];
  if (open === undefined) {
    return { bom, open: "", properties: undefined, close: "", body: rest, eol };
  }
  const inner = rest.slice(open.length);
  const fence = /(?:^|\n)(---[ \t]*(?:\r?\n|$))/.exec(inner);
  if (fence === null) return undefined;
  const close = fence[1] ?? "";
  const end = fence.index + fence[0].length;
  const properties = inner.slice(0, end - close.length);
  return { bom, open, properties, close, body: inner.slice(end), eol };
}

export function joinNote(parts: NoteParts): string {
  return parts.bom + parts.open + (parts.properties ?? "") + parts.close + parts.body;
}

/** `text`, written with `\n`, in the line ends of a note. */
export function withEol(text: string, eol: NoteParts["eol"]): string {
  return eol === "\n" ? text : text.replaceAll("\n", eol);
}
