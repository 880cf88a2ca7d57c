import matter from "gray-matter";
import { expect } from "vitest";
import { parse } from "yaml";
import type { NoteSubject } from "../../../src/ports/note-vault.ts";
import { noteFormat } from "../../note-formats.ts";

/** The text of a composed note; a note left alone fails the test. */
export function textOf(subject: NoteSubject, existing?: string): string {
  const note = noteFormat.compose(subject, existing);
  if (note.kind === "edited") throw new Error(`left alone: ${note.reason}`);
  return note.text;
}

/** A note's properties, on which gray-matter (YAML 1.1) and `yaml` (1.2, and 1.1) must agree. */
export function propertiesOf(text: string): Readonly<Record<string, unknown>> {
  const block = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text)?.[1] ?? "";
  const data: unknown = parse(block);
  expect(matter(text, {}).data).toEqual(data);
  expect(parse(block, { version: "1.1" })).toEqual(data);
  // An object by the schema of our notes; anything else fails the caller's expectations.
  return data as Record<string, unknown>;
}

export function bodyOf(text: string): string {
  return matter(text, {}).content;
}
