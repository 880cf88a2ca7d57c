/** What a note's property may hold: Obsidian's panel shows these, and nothing nested. */
export type PropertyValue = string | number | boolean | null | readonly string[];

/**
 * One property as YAML lines, each ended by `\n`. Strings that YAML 1.1 or 1.2 would read as anything else (`no`, `2026-03-02`, `007`,
 * `12:30`, `1e3`, `null`) are quoted, and so is whatever is not plainly a word: every reader then agrees on the type.
 */
export function renderProperty(key: string, value: PropertyValue): string {
  if (value === null || typeof value === "number" || typeof value === "boolean")
    return `${key}: ${value}\n`;
  if (typeof value === "string") return `${key}: ${quoteString(value)}\n`;
  if (value.length === 0) return `${key}: []\n`;
  return `${key}:\n${value.map((item) => `  - ${quoteString(item)}\n`).join("")}`;
}

// Starts with a letter, so no number, date or sign; no character that means something to YAML.
const PLAIN = /^[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$/;
const RETYPED = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;

function quoteString(text: string): string {
  if (PLAIN.test(text) && !RETYPED.test(text)) return text;
  // JSON is YAML, but for line separators and what YAML counts as not printable.
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
