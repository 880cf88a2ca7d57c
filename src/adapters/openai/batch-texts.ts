/** Tokens that a text can be expected to have, on the high side: a model's own tokenizer is not at hand. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** English has four and more; digits, code and other scripts fewer. */
const BYTES_PER_TOKEN = 3;

/** The beginning of a text that fits, never half a character. */
export function clipText(text: string, maxTokens: number): string {
  if (estimateTokens(text) <= maxTokens) return text;
  const bytes = Buffer.from(text).subarray(0, maxTokens * BYTES_PER_TOKEN);
  // What was cut in two decodes as one replacement character, at the end.
  return bytes.toString("utf8").replace(/\uFFFD$/u, "");
}

/** Consecutive texts that go together: at most so many, of at most so many tokens, and at least one. */
export function batchTexts(
  texts: readonly string[],
  limits: { readonly maxTexts: number; readonly maxTokens: number },
): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let [batch, tokens] = [[] as string[], 0];
  for (const text of texts) {
    const more = estimateTokens(text);
    if (batch.length >= limits.maxTexts || (batch.length > 0 && tokens + more > limits.maxTokens)) {
      batches.push(batch);
      [batch, tokens] = [[], 0];
    }
    batch.push(text);
    tokens += more;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
