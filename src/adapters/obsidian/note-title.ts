import { hashOf } from "../../model/hash.ts";
import type { Memory } from "../../model/memory.ts";
import { findSecrets } from "../../text/secrets.ts";
import { splitSentences } from "../../text/sentences.ts";

const MAX_LENGTH = 80;

/**
 * One line, at most 80 UTF-16 units: the title that an import brought, else the first sentence that says something, without its
 * Markdown marks and its closing full stop. A memory that holds a secret is called by its id alone.
 */
export function noteTitle(memory: Memory): string {
  const imported = memory.extra.title;
  const own = typeof imported === "string" ? plainLine(imported) : "";
  // Titles travel: into other notes, the log, the names of files.
  const isSecret = findSecrets(`${own}\n${memory.content}`).length > 0;
  const stated = own === "" ? firstStatement(memory.content) : own;
  const title = isSecret ? "" : stated;
  return title === "" ? `Memory ${hashOf(memory.id, 8)}` : cutLine(title);
}

function firstStatement(content: string): string {
  const lines = splitSentences(content).flatMap((sentence) =>
    sentence.split(/[\r\n]+/).filter((line) => !/^\s*(?:`{3}|~{3})/.test(line)),
  );
  const plain = lines.map(plainLine).filter((line) => line !== "");
  return plain.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? plain[0] ?? "";
}

function plainLine(line: string): string {
  return line
    .normalize("NFC")
    .replace(/\p{Cs}/gu, "")
    .replace(/[\p{Cc}\s\u2028\u2029\ufeff]+/gu, " ")
    .trim()
    .replace(/^(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)]) +(?:\[[ x]\] )?)+/i, "")
    .replace(/\*\*|`/g, "")
    .replace(/(?<![.。])[.。]$/u, "")
    .trim();
}

function cutLine(line: string): string {
  if (line.length <= MAX_LENGTH) return line;
  let kept = "";
  for (const { segment } of new Intl.Segmenter("en").segment(line)) {
    if (kept.length + segment.length > MAX_LENGTH - 1) break;
    kept += segment;
  }
  // Back to the last whole word, unless the text has no spaces worth speaking of.
  const space = kept.lastIndexOf(" ");
  const wholeWords = space > MAX_LENGTH / 2 ? kept.slice(0, space) : kept;
  return `${wholeWords.trimEnd()}…`;
}
