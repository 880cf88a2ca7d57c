import { createHash } from "node:crypto";
import { writeCanonicalJson } from "./json.ts";

/** SHA-256 of the canonical JSON of `value`, lower-case hex, cut to `length` digits (default 64, all). */
export function hashOf(value: unknown, length = 64): string {
  const hash = createHash("sha256");
  let pending = "";
  writeCanonicalJson(value, (piece) => {
    pending += piece;
    if (pending.length < PIECE_LENGTH) return;
    hash.update(pending);
    pending = "";
  });
  return hash.update(pending).digest("hex").slice(0, length);
}

/** Long enough that the calls cost nothing, short enough that a plan of any size fits in memory. */
const PIECE_LENGTH = 1 << 16;

/** SHA-256 of the text itself (UTF-8), lower-case hex, 64 digits. Notes and files are compared by it. */
export function hashText(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
