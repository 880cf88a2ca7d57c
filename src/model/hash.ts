import { createHash, hash } from "node:crypto";
import { canonicalJson } from "./json.ts";

/** SHA-256 of the canonical JSON of `value`, lower-case hex, cut to `length` digits (default 64, all). */
export function hashOf(value: unknown, length = 64): string {
  return hash("sha256", canonicalJson(value), "hex").slice(0, length);
}

/** SHA-256 of the canonical JSON of each item, a line each: for lists of which the whole may be longer than any string can be. */
export function hashOfList(items: Iterable<unknown>): string {
  const sum = createHash("sha256");
  let pending = "";
  for (const item of items) {
    pending += `${canonicalJson(item)}\n`;
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
