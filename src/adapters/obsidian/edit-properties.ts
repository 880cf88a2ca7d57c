import { type NoteParts, withEol } from "./note-parts.ts";
import { type PropertyValue, renderProperty } from "./property-text.ts";
import type { PropertySpan } from "./read-properties.ts";

/**
 * The note with some properties replaced in place, others added at the end of the block, and those given as `undefined` taken out with
 * their lines; every other byte stays, comments and order too. Writing the YAML tree out instead would restyle what a person wrote.
 */
export function editProperties(
  parts: NoteParts,
  spans: ReadonlyMap<string, PropertySpan>,
  changes: ReadonlyMap<string, PropertyValue | undefined>,
): NoteParts {
  if (changes.size === 0) return parts;
  const block = parts.properties ?? "";
  const replaced = [...changes].flatMap(([key, value]) => {
    const span = spans.get(key);
    if (span === undefined) return [];
    if (value === undefined)
      return [{ start: span.start, end: lineEnd(block, span.end), text: "" }];
    return [{ ...span, text: renderProperty(key, value).trimEnd() }];
  });
  const added = [...changes].flatMap(([key, value]) =>
    spans.has(key) || value === undefined ? [] : [renderProperty(key, value)],
  );
  let text = block;
  // Last first, so that earlier places stay true.
  for (const { start, end, text: property } of replaced.sort((a, b) => b.start - a.start)) {
    text = text.slice(0, start) + withEol(property, parts.eol) + text.slice(end);
  }
  const additions = added.join("");
  return {
    ...parts,
    open: parts.open || `---${parts.eol}`,
    properties: text + withEol(additions, parts.eol),
    close: parts.close || `---${parts.eol}`,
  };
}

/** Behind the line break that ends the line of this place. */
function lineEnd(block: string, place: number): number {
  const found = block.indexOf("\n", place);
  return found < 0 ? block.length : found + 1;
}
