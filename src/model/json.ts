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
  return JSON.stringify(value, (_key, inner: unknown) =>
    isPlainObject(inner) ? sortKeys(inner) : inner,
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sortKeys(value: Record<string, unknown>): Record<string, unknown> {
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    // Assigning to this one name sets the prototype, and the key would be lost.
    if (key === "__proto__")
      Object.defineProperty(sorted, key, { value: value[key], enumerable: true });
    else sorted[key] = value[key];
  }
  return sorted;
}
