import { z } from "zod";

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

export const jsonValueSchema: z.ZodType<JsonValue> = z.json();
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonValueSchema);

/**
 * JSON with sorted keys and without `undefined`: equal data gives equal text, whatever order its keys were made in. All hashes and
 * all "does this record still equal its before-image" checks compare this form.
 */
export function canonicalJson(value: unknown): string {
  let text = "";
  writeCanonicalJson(value, (piece) => {
    text += piece;
  });
  return text;
}

/**
 * `canonicalJson` in pieces: the whole of a large plan may be longer than any string can be. Written by hand, as `JSON.stringify` with a
 * sorting replacer takes four times as long.
 */
export function writeCanonicalJson(value: unknown, write: (piece: string) => void): void {
  if (typeof value !== "object" || value === null) write(leafJson(value));
  else if (Array.isArray(value)) writeArray(value, write);
  else if (hasJsonForm(value)) writeCanonicalJson(value.toJSON(), write);
  // An object that is no array has string keys; what is behind them is found out one by one.
  else writeObject(value as Readonly<Record<string, unknown>>, write);
}

function writeArray(items: readonly unknown[], write: (piece: string) => void): void {
  write("[");
  for (let index = 0; index < items.length; index++) {
    if (index > 0) write(",");
    writeCanonicalJson(items[index], write);
  }
  write("]");
}

function writeObject(
  value: Readonly<Record<string, unknown>>,
  write: (piece: string) => void,
): void {
  let opening = "{";
  for (const key of sortedKeys(value)) {
    const inner = value[key];
    if (isLeftOut(inner)) continue;
    write(`${opening}${JSON.stringify(key)}:`);
    writeCanonicalJson(inner, write);
    opening = ",";
  }
  write(opening === "{" ? "{}" : "}");
}

function leafJson(value: unknown): string {
  return isLeftOut(value) ? "null" : JSON.stringify(value);
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

function hasJsonForm(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

/** By code units, numbers first and by size: the order that an object keeps its keys in when they are put there sorted. */
function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value).sort();
  // Digits sort before letters: without one at the start there is no number.
  if (!keys.some((key) => key.charCodeAt(0) < COLON)) return keys;
  return Object.keys(Object.fromEntries(keys.map((key) => [key, true])));
}

/** The character after "9". */
const COLON = 0x3a;
