import { hashOf } from "../../model/hash.ts";

/** Of a whole file name, in UTF-8. File systems allow 255, and sync tools add suffixes of their own. */
const MAX_BYTES = 200;
const EXTENSION_BYTES = ".md".length;

/**
 * A file name without extension that every system accepts and every wikilink reaches: NFC, none of `\ / : * ? " < > |` (file systems) or
 * `# ^ [ ] | %%` (links and comments), no control or invisible characters, no reserved Windows name, no dot or space at either end, at
 * most 200 bytes with `.md`. A title that is cut, or leaves nothing, gets a hash of the id.
 */
export function noteFileName(title: string, id: string): string {
  const name = avoidReserved(trimEnds(replaceUnsafe(title)));
  if (name === "") return `Note ${hashOf(id, 8)}`;
  return fitBytes(name, MAX_BYTES - EXTENSION_BYTES, hashOf([title, id], 8));
}

/** `name suffix`, the name shortened where the two do not fit. */
export function suffixedName(name: string, suffix: string): string {
  const room = MAX_BYTES - EXTENSION_BYTES - Buffer.byteLength(suffix) - 1;
  return `${trimEnds(cutBytes(name, room))} ${suffix}`;
}

function replaceUnsafe(title: string): string {
  return (
    title
      .normalize("NFC")
      .replace(LONE_SURROGATE, "")
      .replace(/[\p{Cc}\s]+/gu, " ")
      // At either end they would only leave a stray hyphen: "To restore it:" is "To restore it".
      .replace(/^[ \\/:|]+|[ \\/:|]+$/g, "")
      // Zero-width and direction characters: two names could look the same. The joiner stays, emoji need it.
      .replace(/[\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu, "")
      .replace(/: /g, " - ")
      .replace(/[\\/:|]/g, "-")
      .replace(/[*?"<>#^]/g, "")
      .replaceAll("[", "(")
      .replaceAll("]", ")")
      .replace(/%{2,}/g, "%")
      .replace(/ {2,}/g, " ")
  );
}

const LONE_SURROGATE = /\p{Cs}/gu;

function trimEnds(name: string): string {
  return name.replace(/^[\s.]+|[\s.]+$/gu, "");
}

// Windows reads NUL.tar and "NUL .tar" as the device too, so what stands before the first dot has to change.
const RESERVED = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

function avoidReserved(name: string): string {
  return RESERVED.test(name) ? `_${name}` : name;
}

function fitBytes(name: string, limit: number, hash: string): string {
  return Buffer.byteLength(name) <= limit ? name : suffixedName(name, hash);
}

/** The longest start of `text` within `limit` bytes that splits no visible character. */
function cutBytes(text: string, limit: number): string {
  let kept = "";
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter("en").segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > limit) break;
    kept += segment;
  }
  return kept;
}
