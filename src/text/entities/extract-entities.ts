import { maskSpans } from "../mask.ts";
import { findSecrets } from "../secrets.ts";
import { findFences } from "../sentence-blocks.ts";
import { withoutOverlapping } from "../spans.ts";
import { entityKey } from "./entity-key.ts";
import { findMarkedEntities } from "./marked-entities.ts";
import { findNamedEntities } from "./named-entities.ts";

/**
 * The people, organisations, products, technologies, places, paths, URLs, identifiers, code spans, handles, tags and
 * titles that a text names, in order of first appearance, each once (by `entityKey`) and as written. Works without a
 * model, so it goes by form: F1 is 0.9 on hand-labelled notes, and prose in a language that capitalises nouns does worse.
 */
export function extractEntities(text: string): readonly string[] {
  // A credential names nothing, and entities travel: into links, titles of issues, notes.
  const prose = maskSpans(text, [...findFences(text), ...findSecrets(text)]);
  const marked = findMarkedEntities(prose);
  const named = withoutOverlapping(findNamedEntities(prose), marked);
  const found = new Map<string, string>();
  for (const { text: name } of [...marked, ...named].sort((a, b) => a.start - b.start)) {
    const key = entityKey(name);
    if (key !== "" && !found.has(key)) found.set(key, name);
  }
  return [...found.values()];
}
