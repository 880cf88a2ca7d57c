import type { Memory } from "../../model/memory.ts";
import { splitSentences } from "../../text/sentences.ts";
import type { Removal } from "./find-removal.ts";

/** Caches are JSON and text for the most part; what is neither is searched as it is. */
export function quotes({ traces, targets }: Removal): (content: Buffer) => boolean {
  const sentences = sentencesOf(targets);
  return (content) =>
    sentences.some((sentence) => content.includes(sentence)) ||
    (content.length < READABLE_BYTES && traces.isIn(unescaped(content.toString())));
}

/** A cache of vectors is larger, and quotes nothing. */
const READABLE_BYTES = 1 << 20;

function unescaped(json: string): string {
  return json
    .replace(/\\[nrt]/g, " ")
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
}

export function sentencesOf(targets: readonly Memory[]): readonly string[] {
  const sentences = targets.flatMap(({ content }) => [content.trim(), ...splitSentences(content)]);
  return [...new Set(sentences)].filter((sentence) => sentence.length >= 12);
}
