import type { z } from "zod";
import type { JsonObject, JsonValue } from "../model/json.ts";

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** One JSON object from a line, or why it is none. */
export function parseObject(text: string): Parsed<JsonObject> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, reason: `not one JSON object: ${why}` };
  }
  if (!isObject(value))
    return { ok: false, reason: `expected a JSON object, got ${nameOf(value)}` };
  // Only an escape can hide what strict UTF-8 and JSON rule out, so the walk over all values is rarely needed.
  const unsafe = text.includes("\\u") || text.includes("__proto__") ? findUnsafe(value) : undefined;
  return unsafe === undefined ? { ok: true, value } : { ok: false, reason: unsafe };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

/**
 * What a store cannot give back as it was: NUL (a damaged file, in practice), half of a surrogate pair (no UTF-8 form), and the key
 * `__proto__`.
 */
export function findUnsafe(value: JsonValue): string | undefined {
  if (typeof value === "string") return unsafeText(value);
  if (Array.isArray(value)) return firstUnsafe(value);
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, "__proto__")) return 'a field is named "__proto__"';
  return firstUnsafe(Object.entries(value).flat());
}

function firstUnsafe(values: readonly JsonValue[]): string | undefined {
  for (const value of values) {
    const unsafe = findUnsafe(value);
    if (unsafe !== undefined) return unsafe;
  }
  return undefined;
}

function unsafeText(text: string): string | undefined {
  if (text.includes("\0")) return "the text holds a NUL character";
  return /\p{Surrogate}/u.test(text) ? "the text holds half of a surrogate pair" : undefined;
}

/** A file's field names, each with the name of the model it stands for. */
export type FieldNames<K extends string = string> = Readonly<Record<string, K>>;

/** A record taken apart: fields with a meaning, by the model's names, and the rest. A known field that is null counts as absent. */
export function splitFields<K extends string>(
  record: JsonObject,
  names: FieldNames<K>,
): {
  readonly known: Readonly<Partial<Record<K, JsonValue>>>;
  readonly rest: JsonObject;
} {
  const known: Partial<Record<K, JsonValue>> = {};
  const rest: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(record)) {
    const name = Object.hasOwn(names, key) ? names[key] : undefined;
    if (name === undefined || Object.hasOwn(known, name)) rest[key] = value;
    else if (value !== null) known[name] = value;
  }
  return { known, rest };
}

/** Validates fields; the reason lists every problem by the file's own field names. */
export function parseFields<T>(
  schema: z.ZodType<T>,
  fields: unknown,
  names: FieldNames,
): Parsed<T> {
  const result = schema.safeParse(fields);
  if (result.success) return { ok: true, value: result.data };
  const problems = result.error.issues.map(({ path: [first, ...more], message }) =>
    [[fileName(first, names), ...more.map(String)].join("."), message].join(": "),
  );
  return { ok: false, reason: problems.join("; ") };
}

function fileName(field: PropertyKey | undefined, names: FieldNames): string {
  const found = Object.entries(names).find(([, name]) => name === field);
  return found?.[0] ?? String(field);
}
