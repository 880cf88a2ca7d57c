import { createHash, hash } from "node:crypto";
import { canonicalJson } from "./json.ts";

/** SHA-256 of the canonical JSON of `value`, lower-case hex, cut to `length` digits (default 64, all). */
export function hashOf(value: unknown, length = 64): string {
  return hash("sha256", canonicalJson(value), "hex").slice(0, length);
}

/**
 * SHA-256 of each item as JSON, a line each: for lists of which the whole may be longer than any string can be. Where one piece of code made
 * all items, with their keys in one order, `JSON.stringify` says the same as the canonical form in a quarter of the time (measured).
 */
export function hashOfList(
  items: Iterable<unknown>,
  toJson: (item: unknown) => string = canonicalJson,
): string {
  const sum = createHash("sha256");
  let pending = "";
  for (const item of items) {
    pending += `${toJson(item)}\n`;
    // A call for every line takes longer than the hashing.
    if (pending.length < CHUNK) continue;
    sum.update(pending);
    pending = "";
  }
  return sum.update(pending).digest("hex");
}

const CHUNK = 64 * 1024;

/** SHA-256 of the text itself (UTF-8), lower-case hex, 64 digits. Notes and files are compared by it. */
export function hashText(text: string): string {
  return hash("sha256", text, "hex");
}
