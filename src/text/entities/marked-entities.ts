import { extractIdentifiers, type IdentifierKind } from "../identifiers.ts";
import { maskSpans } from "../mask.ts";
import { matchSpans, type Span, withoutOverlapping } from "../spans.ts";

/**
 * Entities that their writing gives away: code spans, quoted titles, URLs, paths, hosts, identifiers, handles and tags.
 * The place is that of the whole marking, the text that of the name inside.
 */
export function findMarkedEntities(text: string): readonly Span[] {
  const found: Span[] = [];
  let rest = text;
  for (const { sign, read } of FORMS) {
    if (!sign.test(rest)) continue;
    const spans = withoutOverlapping(read(rest), found);
    if (spans.length === 0) continue;
    for (const span of spans) found.push(span);
    rest = maskSpans(rest, found);
  }
  return found;
}

/** A text without the sign has none of the form: that is quickly seen, where the pattern itself is slow to find nothing. */
const FORMS: readonly { readonly sign: RegExp; readonly read: (text: string) => Span[] }[] = [
  { sign: /`/, read: readCodeSpans },
  { sign: /["“«「『]/, read: readQuotedTitles },
  { sign: /\.[a-z]/, read: readHosts },
  { sign: /[\d/\\@.]/, read: readIdentifiers },
  { sign: /_|[a-z][A-Z]/, read: readVariables },
  { sign: /[@#]/, read: readTags },
];

function readCodeSpans(text: string): Span[] {
  return matchSpans(text, /(?<!`)`[^`\n]{1,80}`(?!`)/gu).map(innerText);
}

/** "Spirited Away": a short quotation of capitalised words without a closing full stop. */
function readQuotedTitles(text: string): Span[] {
  return matchSpans(text, /["“«「『]\p{Lu}[^"“”«»「」『』\n.!?]{1,60}["”»」』]/gu)
    .filter(isTitle)
    .map(innerText);
}

function isTitle({ text }: Span): boolean {
  const words = text.slice(1, -1).trim().split(/\s+/u);
  const capitalised = words.filter((word) => /^[\p{Lu}\p{N}]/u.test(word)).length;
  return words.length <= 8 && capitalised >= words.length / 2;
}

function innerText(span: Span): Span {
  return { ...span, text: span.text.slice(1, -1).trim() };
}

function readHosts(text: string): Span[] {
  return matchSpans(
    text,
    /(?<![\w@/.])(?:[A-Za-z0-9-]+\.)+(?:com|org|net|io|dev|ai|app|edu|gov|cloud|internal|local|co\.uk|de|fr|eu|ch)(?:\/[\w./-]*\w)?(?![\w@])/gu,
  );
}

const KINDS: ReadonlySet<IdentifierKind> = new Set(["url", "email", "path", "version", "code"]);

function readIdentifiers(text: string): Span[] {
  return (
    extractIdentifiers(text)
      // "B2" and "A100" may go on a name ("Backblaze B2"), so they are left to the capitals.
      .filter(
        ({ kind, text: written }) => KINDS.has(kind) && !/^(?:[A-Z]+\d+|\d.*)$/u.test(written),
      )
      .map(({ text: written, start, end }) => ({ text: written, start, end }))
  );
}

/** `LOG_LEVEL`, `max_connections`, `parseConfig`. */
function readVariables(text: string): Span[] {
  return matchSpans(
    text,
    /\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b|\b[a-z]+[A-Z][A-Za-z]*\b(?!\s\p{Lu})/gu,
  );
}

function readTags(text: string): Span[] {
  return matchSpans(text, /(?<![\p{L}\p{N}#@/])[@#]\p{L}[\p{L}\p{N}_-]*/gu);
}
