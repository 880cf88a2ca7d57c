import type { z } from "zod";
import { configTree } from "./config-tree.ts";
import { expectationOf, nodeAt, type SchemaNode, scalarPaths } from "./schema-tree.ts";
import { suggest } from "./suggest.ts";

/** One sentence a problem that the schema found: what set it, what was expected, what was got. */
export function describeIssues(found: {
  readonly issues: readonly z.core.$ZodIssue[];
  readonly raw: unknown;
  readonly origins: ReadonlyMap<string, string>;
}): string[] {
  const tree = configTree();
  return found.issues.flatMap((issue) => {
    const place = issue.path.map(String);
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => unknownKey({ key, place, tree, origins: found.origins }));
    }
    const value = valueAt(found.raw, place);
    const got = value === undefined ? "nothing" : shown(value, place);
    return [
      `${nameOf(place, found.origins)}: expected ${expectationOf(nodeAt(tree, place))}, got ${got}`,
    ];
  });
}

/** A key stays unseen, however wrong it is. */
function shown(value: unknown, place: readonly string[]): string {
  return place.at(-1) === "apiKey" ? "something else" : JSON.stringify(value);
}

/** The variable that set it, or its place and the file it stands in. */
function nameOf(place: readonly string[], origins: ReadonlyMap<string, string>): string {
  const dotted = place.join(".");
  const origin = origins.get(dotted);
  if (origin === "flag") return dotted;
  return origin ?? `${origins.get("") ?? ""}: ${dotted}`;
}

function unknownKey(unknown: {
  readonly key: string;
  readonly place: readonly string[];
  readonly tree: SchemaNode;
  readonly origins: ReadonlyMap<string, string>;
}): string {
  const { key, place, tree } = unknown;
  const siblings = nodeAt(tree, place);
  const known = Object.keys(siblings?.properties ?? {});
  const near = suggest(key, [...known, ...(siblings?.propertyNames?.enum ?? [])]);
  const meant = near === undefined ? elsewhere(key, tree) : [...place, near].join(".");
  const name = nameOf([...place, key], unknown.origins);
  return `${name}: no such key${meant ? `; did you mean ${meant}?` : ""}`;
}

/** A key that exists in another group: `decay` written beside `settings` instead of inside it. */
function elsewhere(key: string, tree: SchemaNode): string | undefined {
  const ends = scalarPaths(tree).flatMap((path) =>
    path.map((_part, index) => path.slice(0, index + 1)),
  );
  return ends.find((path) => path.at(-1) === key)?.join(".");
}

function valueAt(raw: unknown, place: readonly string[]): unknown {
  let value = raw;
  for (const key of place) {
    if (typeof value !== "object" || value === null) return undefined;
    // Indexing plain parsed data by its own path.
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
