import { hash } from "node:crypto";
import type { Memory } from "../../model/memory.ts";
import { normalizeText } from "../../text/normalize.ts";
import { comparableText, datedText, sentenceKeys } from "../leaves.ts";

/** What the search needs to know of a memory's words. It follows from content and time of writing alone. */
export interface Reading {
  /** The same wherever it is read again; `KEY_LENGTH` characters of one byte. */
  readonly key: string;
  /** Numbers readings in this run, from 0. */
  readonly number: number;
  /** Copies of each other have the same; "" where there are no words. */
  readonly copyKey: string;
  /** For comparison, absolute dates are put beside relative phrases. */
  readonly isDated: boolean;
  /** It has phrases like "next Friday", which mean nothing certain apart from their own time. */
  readonly isBoundToTime: boolean;
  /** Keys of its sentences, each once. */
  readonly sentences: readonly string[];
}

export const KEY_LENGTH = 16;
/** Two sentences with one key are only looked at for nothing: whether one text holds the other is read in the texts. */
export const SENTENCE_KEY_LENGTH = 8;

export interface Readings {
  of(memory: Memory): Reading;
  /** In order of their numbers. */
  readonly all: readonly Reading[];
}

/** Reads memories, but those only once that it or an earlier run has read. */
export function createReadings(known: readonly Reading[] = []): Readings {
  const all = [...known];
  const byKey = new Map(known.map((reading) => [reading.key, reading]));
  // Every search of a run asks for all of them.
  const byMemory = new WeakMap<Memory, Reading>();
  const readOnce = (memory: Memory): Reading => {
    const key = keyOf(memory);
    const found = byKey.get(key);
    if (found !== undefined) return found;
    const reading = read(memory, { key, number: all.length });
    byKey.set(key, reading);
    all.push(reading);
    return reading;
  };
  return {
    all,
    of: (memory) => {
      const reading = byMemory.get(memory) ?? readOnce(memory);
      byMemory.set(memory, reading);
      return reading;
    },
  };
}

/** What `comparableText` depends on. */
function keyOf({ content, createdAt, leaves }: Memory): string {
  return shortHash(`${leaves.length > 0 ? "" : createdAt} ${content}`, KEY_LENGTH);
}

function read(memory: Memory, { key, number }: Pick<Reading, "key" | "number">): Reading {
  const text = comparableText(memory);
  const normal = normalizeText(text);
  const isDated = text !== memory.content;
  return {
    key,
    number,
    copyKey: normal === "" ? "" : shortHash(normal, KEY_LENGTH),
    isDated,
    isBoundToTime: isDated && text !== datedText(memory),
    sentences: [
      ...new Set(sentenceKeys(text).map((sentence) => shortHash(sentence, SENTENCE_KEY_LENGTH))),
    ],
  };
}

/** As JSON, because halves of surrogate pairs would all look alike in UTF-8. */
function shortHash(text: string, length: number): string {
  return hash("sha256", JSON.stringify(text), "binary").slice(0, length);
}
