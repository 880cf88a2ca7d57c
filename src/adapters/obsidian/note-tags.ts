/**
 * Tags as Obsidian takes them: no `#`, no spaces, letters, digits, `_`, `-`, `/` and emoji only, never digits alone (`2026` becomes
 * `y2026`), each once whatever its case. A tag of which nothing is left is dropped; the store still has it.
 */
export function obsidianTags(tags: readonly string[]): readonly string[] {
  const byFold = new Map<string, string>();
  for (const tag of tags.map(obsidianTag)) {
    const fold = tag.toLowerCase();
    if (tag !== "" && !byFold.has(fold)) byFold.set(fold, tag);
  }
  return [...byFold.values()];
}

/** One tag; "" where nothing is left of it. */
export function obsidianTag(tag: string): string {
  const plain = tag
    .normalize("NFC")
    .replace(
      /[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Join_Control}_/-]+/gu,
      "-",
    )
    .replace(/-{2,}/g, "-")
    .replace(/\/[/-]*|-\//g, "/")
    .replace(/^[-/]+|[-/]+$/g, "");
  return /^[\p{N}_/-]+$/u.test(plain) ? `y${plain}` : plain;
}
