import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import type { JsonObject } from "../model/json.ts";
import { jsonObjectSchema } from "../model/json-value-schema.ts";
import { findUnsafe, type Parsed } from "./parse-line.ts";

export interface Note {
  readonly frontmatter: Frontmatter;
  /** The text below the frontmatter, byte for byte. */
  readonly body: string;
  /** Line on which the body begins, from 1. */
  readonly bodyLine: number;
}

export interface Frontmatter {
  readonly values: JsonObject;
  /** The key's scalars as they are written: `007` and `2026` stay text. A single value is a list of one. */
  texts(key: string): readonly string[];
}

/**
 * Takes a note apart. Frontmatter is a block between two lines of `---`, the first of which is the note's first; it is read as YAML 1.2,
 * in which dates, `no` and `on` are text. Broken YAML and a key given twice are refused with their line.
 */
export function parseNote(text: string): Parsed<Note> {
  const match = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text);
  if (match?.index !== 0) {
    return { ok: true, value: { frontmatter: NO_FRONTMATTER, body: text, bodyLine: 1 } };
  }
  const [block, yaml = ""] = match;
  const frontmatter = parseFrontmatter(yaml);
  if (!frontmatter.ok) return frontmatter;
  const bodyLine = block.split("\n").length;
  return {
    ok: true,
    value: { frontmatter: frontmatter.value, body: text.slice(block.length), bodyLine },
  };
}

const NO_FRONTMATTER: Frontmatter = { values: {}, texts: () => [] };

function parseFrontmatter(yaml: string): Parsed<Frontmatter> {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, version: "1.2", prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    // The opening fence is line 1 of the note.
    const line = lines.linePos(error.pos[0]).line + 1;
    return { ok: false, reason: `frontmatter, line ${line}: ${error.message}` };
  }
  const values = plainValues(document);
  if (!values.ok) return values;
  return { ok: true, value: { values: values.value, texts: (key) => textsOf(document, key) } };
}

function plainValues(document: Document): Parsed<JsonObject> {
  let plain: unknown;
  try {
    plain = document.toJS() ?? {};
  } catch (error) {
    // Too many aliases: a file made to blow up.
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, reason: `frontmatter: ${why}` };
  }
  const parsed = jsonObjectSchema.safeParse(plain);
  if (!parsed.success) return { ok: false, reason: "frontmatter: expected keys with plain values" };
  const unsafe = findUnsafe(parsed.data);
  return unsafe === undefined ? { ok: true, value: parsed.data } : { ok: false, reason: unsafe };
}

function textsOf(document: Document, key: string): readonly string[] {
  const root = document.contents;
  const node: unknown = isMap(root) ? root.get(key, true) : undefined;
  if (isSeq<Node>(node)) return node.items.flatMap(textOf);
  return textOf(node);
}

function textOf(node: unknown): readonly string[] {
  if (!isScalar(node) || node.value === null) return [];
  return [typeof node.value === "string" ? node.value : (node.source ?? String(node.value))];
}

/** Where links go: `[[note]]`, `[[folder/note#part|shown]]`, `![[note]]` and `[shown](note.md)`, in order and once each. */
export function linkTargets(body: string): readonly string[] {
  const prose = withoutCode(body);
  const wiki = [...prose.matchAll(/\[\[([^\]|#\n]+)(?:#[^\]|\n]*)?(?:\|[^\]\n]*)?\]\]/g)];
  const plain = [...prose.matchAll(/\]\(<?([^()<>\n]+?\.md)(?:#[^)>]*)?>?(?:\s+"[^"]*")?\)/g)];
  const targets = [
    ...wiki.map(([, target = ""]) => target),
    ...plain.map(([, to = ""]) => unescapePath(to)),
  ];
  return [...new Set(targets.map((target) => target.trim()).filter((target) => target !== ""))];
}

function unescapePath(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    // A percent sign that is no escape stands for itself.
    return target;
  }
}

/** `#tag` in the text, as Obsidian reads it: after white space, with at least one character that is no digit. */
export function inlineTags(body: string): readonly string[] {
  const found = withoutCode(body).matchAll(/(?<=^|\s)#([\p{L}\p{N}_/-]+)/gmu);
  const tags = [...found].map(([, tag = ""]) => tag).filter((tag) => /[^\p{N}]/u.test(tag));
  return [...new Set(tags)];
}

function withoutCode(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?^\1|`[^`\n]*`/gm, "");
}
