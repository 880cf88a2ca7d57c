export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/**
 * The fields of an object, whatever they hold; of anything else, none. For small files of our own that are checked by hand, as every command
 * reads them and loading a schema takes longer than all the rest (measured: a sixth of a recall).
 */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/**
 * JSON with sorted keys and without `undefined`: equal data gives equal text, whatever order its keys were made in. All hashes and
 * all "does this record still equal its before-image" checks compare this form. Written out by hand, as a replacer function for
 * `JSON.stringify` takes more than twice as long (measured on a change), and a run of a large store hashes hundreds of megabytes.
 */
export function canonicalJson(value: unknown): string {
  return textOf(value) ?? "null";
}

/** Undefined for what JSON leaves out. */
function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return arrayText(value);
      // Dates and their like say themselves what they are as JSON.
      return hasOwnForm(value) ? textOf(value.toJSON()) : objectText(value);
    case "number":
      return Number.isFinite(value) ? String(value) : "null";
    default:
      // Booleans; functions and symbols are left out; a bigint has no JSON and throws.
      return JSON.stringify(value);
  }
}

function hasOwnForm(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

function arrayText(items: readonly unknown[]): string {
  let text = "[";
  for (let at = 0; at < items.length; at++) {
    if (at > 0) text += ",";
    text += textOf(items[at]) ?? "null";
  }
  return `${text}]`;
}

function objectText(value: object): string {
  let text = "{";
  const { sorted, labels } = formOf(Object.keys(value));
  for (let at = 0; at < sorted.length; at++) {
    // Any object may be asked for its own keys.
    const inner = textOf((value as Readonly<Record<string, unknown>>)[sorted[at] ?? ""]);
    if (inner === undefined) continue;
    text += text.length > 1 ? `,${labels[at]}${inner}` : `${labels[at]}${inner}`;
  }
  return `${text}}`;
}

/** Keys as an object has them, in order of the text, and as they stand there. */
interface Form {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  readonly labels: readonly string[];
}

/** Records of one kind have the same keys in the same order: the last few forms of each size are at hand. */
const forms = new Map<number, Form[]>();
const FORMS_OF_A_SIZE = 4;
const MOST_KEYS = 40;

function formOf(keys: string[]): Form {
  const known = forms.get(keys.length) ?? [];
  const found = known.find((form) => form.keys.every((key, at) => key === keys[at]));
  if (found !== undefined) return found;
  const sorted = sortedKeys(keys);
  const form = { keys, sorted, labels: sorted.map((key) => `${JSON.stringify(key)}:`) };
  if (keys.length > MOST_KEYS) return form;
  known.unshift(form);
  known.length = Math.min(known.length, FORMS_OF_A_SIZE);
  forms.set(keys.length, known);
  return form;
}

/** By code units; but names of whole numbers first, by number, as every object has them: hashes that stores hold were made so. */
function sortedKeys(keys: readonly string[]): readonly string[] {
  const sorted = [...keys].sort();
  if (!sorted.some(startsWithDigit)) return sorted;
  return Object.keys(Object.fromEntries(sorted.map((key) => [key, true])));
}

function startsWithDigit(key: string): boolean {
  const code = key.charCodeAt(0);
  return code >= 48 && code <= 57;
}
