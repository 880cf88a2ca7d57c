import { createHash } from "node:crypto";
import { canonicalJson } from "./json.ts";

/** SHA-256 of the canonical JSON of `value`, lower-case hex, cut to `length` digits (default 64, all). */
export function hashOf(value: unknown, length = 64): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, length);
}

/** SHA-256 of the canonical JSON of each item, a line each: for lists of which the whole may be longer than any string can be. */
export function hashOfList(items: Iterable<unknown>): string {
  const hash = createHash("sha256");
  for (const item of items) hash.update(`${canonicalJson(item)}\n`);
  return hash.digest("hex");
}

/** SHA-256 of the text itself (UTF-8), lower-case hex, 64 digits. Notes and files are compared by it. */
export function hashText(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
