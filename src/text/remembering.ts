/**
 * The same function of a text, which it works out once: in a store every text is compared with many others. Bounded: it forgets
 * everything when it knows `limit` texts. What it gives must not be changed by whoever gets it.
 */
export function remembering<T>(compute: (text: string) => T, limit: number): (text: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found.value;
    if (known.size >= limit) known.clear();
    const value = compute(text);
    known.set(text, { value });
    return value;
  };
}
