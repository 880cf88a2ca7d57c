import matter from "gray-matter";
import { type Document, isMap, isScalar, parseDocument } from "yaml";
import type { NoteParts } from "./note-parts.ts";

/** Where one property stands inside `NoteParts.properties`: from its key to the end of its value. */
export interface PropertySpan {
  readonly start: number;
  readonly end: number;
}

export type PropertiesReading =
  | {
      readonly ok: true;
      readonly data: Readonly<Record<string, unknown>>;
      readonly spans: ReadonlyMap<string, PropertySpan>;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * A note's properties, by gray-matter with `yaml` as its engine: YAML 1.2, so dates and `007` stay as they were written. Reasons name
 * the line of the file.
 */
export function readProperties(text: string, parts: NoteParts): PropertiesReading {
  if (parts.properties === undefined) return { ok: true, data: {}, spans: new Map() };
  try {
    return readBlock(text, parts, parts.properties);
  } catch (error) {
    // gray-matter and yaml throw plain errors for YAML they cannot make sense of; the note is then left alone.
    return { ok: false, reason: error instanceof Error ? firstLine(error.message) : String(error) };
  }
}

function readBlock(text: string, parts: NoteParts, properties: string): PropertiesReading {
  let tree: Document | undefined;
  const parse = (yaml: string): object => {
    // gray-matter cuts before the last line feed, and YAML takes a carriage return left alone for text.
    tree = parseYaml(yaml.replace(/\r$/, ""));
    // An empty document is null; gray-matter wants an object.
    return (tree.toJS() as object | null) ?? {};
  };
  // With options given, gray-matter does not use its cache, which would hand out one shared object for equal texts and hide errors
  // on the second call. Its JavaScript engine runs what a note says; ours never does.
  const file = matter(text, { engines: { yaml: { parse }, javascript: refuse, json: refuse } });
  if (file.matter.trim() !== properties.trim() || file.content !== parts.body) {
    return { ok: false, reason: "a line inside the properties starts with ---" };
  }
  // Comments alone: gray-matter does not ask the engine.
  if (tree === undefined || tree.contents === null) return { ok: true, data: {}, spans: new Map() };
  if (!isMap(tree.contents) || tree.contents.flow === true) {
    return { ok: false, reason: "line 2: expected one property a line (key: value)" };
  }
  // What gray-matter hands to the engine starts with the line break that ends the fence.
  const shift = file.matter.length - file.matter.replace(/^\r?\n/, "").length;
  return { ok: true, data: file.data, spans: spansOf(tree, properties, shift) };
}

function refuse(): never {
  throw new Error("line 1: expected properties in YAML");
}

function parseYaml(yaml: string): Document {
  const tree = parseDocument(yaml, { version: "1.2", schema: "core", uniqueKeys: true });
  const [error] = tree.errors;
  if (error === undefined) return tree;
  // The engine's text starts on the line of the fence, so its lines are the file's.
  const message = firstLine(error.message).replace(/ at line \d+, column \d+:?$/, "");
  throw new Error(`line ${error.linePos?.[0].line ?? 1}: ${message}`);
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? message;
}

function spansOf(tree: Document, properties: string, shift: number): Map<string, PropertySpan> {
  const spans = new Map<string, PropertySpan>();
  if (!isMap(tree.contents)) return spans;
  for (const { key, value } of tree.contents.items) {
    if (!isScalar(key) || !key.range) continue;
    const start = key.range[0] - shift;
    const end = (rangeEnd(value) ?? key.range[1]) - shift;
    // A block list or text ends with its line break, which belongs to the line.
    spans.set(String(key.value), {
      start,
      end: start + properties.slice(start, end).trimEnd().length,
    });
  }
  return spans;
}

function rangeEnd(node: unknown): number | undefined {
  // Every node of a parsed document carries a range: [start, end of value, end of node].
  const range = (node as { readonly range?: readonly number[] | null } | null)?.range;
  return range?.[1];
}
