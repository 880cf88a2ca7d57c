/**
 * Milliseconds that a server asks to wait, from `Retry-After` in seconds or as an HTTP date; `undefined` where it says nothing readable.
 * OpenAI's own `retry-after-ms` is more exact and wins.
 */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const exact = headers?.get("retry-after-ms");
  if (exact && /^\d+(?:\.\d+)?$/u.test(exact)) return Number(exact);
  const value = headers?.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+(?:\.\d+)?$/u.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
