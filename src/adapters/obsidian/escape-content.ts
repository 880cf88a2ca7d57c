import { escapeMarks } from "./marked-region.ts";

/**
 * A memory's text as it stands in a note: its own bytes, but for what would hide or swallow the rest of the note.
 *
 * - `%%` outside code opens a comment in Obsidian: it becomes `%\%`, which reads the same.
 * - `<!--`, `<script` and the like at the start of a line open raw HTML that may never end: `\<!--`.
 * - Where a code fence is opened and not closed, the whole text is put into a longer fence.
 * - A line that is one of our own marks gets a back slash, in code too.
 * - Line ends become those of the note; empty lines at either end go.
 */
export function escapeContent(content: string): string {
  const text = content
    .replace(/\r\n?/g, "\n")
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  const escaped = hasOpenFence(text) ? fence(text) : escapeProse(text);
  return escapeMarks(escaped);
}

/**
 * The memory's text after a person edited it in its note. Lines that they left alone are as in `original`; in the others, what
 * `escapeContent` would put in is taken out.
 */
export function unescapeContent(edited: string, original: string): string {
  const plain = original.replace(/\r\n?/g, "\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  const escaped = escapeContent(original);
  if (hasOpenFence(plain)) return unfence(edited, escaped);
  const lines = plain.split("\n");
  const known = new Map(escaped.split("\n").map((line, index) => [line, lines[index] ?? line]));
  const restore = (line: string): string =>
    line.replace(ESCAPED_HTML, "$1<").replaceAll("%\\%", "%%");
  return edited
    .split("\n")
    .map((line) => known.get(line) ?? restore(line))
    .join("\n");
}

/** Of a text that was fenced as a whole, the fence goes, unless a person took it away themselves. */
function unfence(edited: string, escaped: string): string {
  const open = escaped.slice(0, escaped.indexOf("\n") + 1);
  const close = escaped.slice(escaped.lastIndexOf("\n"));
  if (!edited.startsWith(open) || !edited.endsWith(close)) return edited;
  return edited.slice(open.length, -close.length).replaceAll("%\\%", "%%");
}

/** A one-line quotation of a memory, for a list item. */
export function quoteContent(content: string): string {
  const line = content
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return escapeComments(line);
}

function escapeProse(text: string): string {
  let open: string | undefined;
  const lines = text.split("\n").map((line) => {
    const wasOpen = open;
    open = nextFence(line, open, TOP_LEVEL_FENCE);
    if (wasOpen !== undefined || open !== undefined) return line;
    return escapeComments(line.replace(RAW_HTML, "$1\\<"));
  });
  return lines.join("\n");
}

// The kinds of HTML block that end at a closing mark and not at the next empty line (CommonMark 0.31, 4.6, kinds 1 to 5).
const RAW_HTML =
  /^((?:[ \t>]|[-*+] |\d{1,9}[.)] )*)<(?=(?:script|pre|style|textarea)\b|!--|\?|!\[CDATA\[|![a-z])/i;

const ESCAPED_HTML =
  /^((?:[ \t>]|[-*+] |\d{1,9}[.)] )*)\\<(?=(?:script|pre|style|textarea)\b|!--|\?|!\[CDATA\[|![a-z])/i;

function escapeComments(line: string): string {
  // The odd parts are code spans, where a back slash would show.
  return line
    .split(/(`+[^`]+`+)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/%(?=%)/g, "%\\")))
    .join("");
}

const TOP_LEVEL_FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
/** Inside lists and quotations too. */
const ANY_FENCE = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*(`{3,}|~{3,})(.*)$/;

// Whether a fence in a list is closed depends on the list; where either reading says it is open, it counts as open.
function hasOpenFence(text: string): boolean {
  return [TOP_LEVEL_FENCE, ANY_FENCE].some((pattern) => {
    let open: string | undefined;
    for (const line of text.split("\n")) open = nextFence(line, open, pattern);
    return open !== undefined;
  });
}

/** The fence that is open after this line, if any. */
function nextFence(line: string, open: string | undefined, pattern: RegExp): string | undefined {
  const [, marks = "", rest = ""] = pattern.exec(line) ?? [];
  if (open === undefined) {
    // A fence of back ticks whose info has one is a code span.
    return marks === "" || (marks.startsWith("`") && rest.includes("`")) ? undefined : marks;
  }
  return marks.startsWith(open) && rest.trim() === "" ? undefined : open;
}

function fence(text: string): string {
  const longest = Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1));
  const marks = "`".repeat(longest);
  return `${marks}text\n${text}\n${marks}`;
}
