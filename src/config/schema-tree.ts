/** The part of JSON Schema that our own schema turns into. */
export interface SchemaNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | false;
  readonly propertyNames?: SchemaNode;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export function nodeAt(root: SchemaNode, path: readonly string[]): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  for (const key of path) {
    node = node?.properties?.[key] ?? (node?.additionalProperties || undefined);
  }
  return node;
}

/** The paths of everything that one word can hold: what the environment may set. */
export function scalarPaths(node: SchemaNode, path: readonly string[] = []): string[][] {
  if (node.properties === undefined) return node.type === "object" ? [] : [[...path]];
  return Object.entries(node.properties).flatMap(([key, child]) =>
    scalarPaths(child, [...path, key]),
  );
}

/** What was expected there, to be read after "expected". */
export function expectationOf(node: SchemaNode | undefined): string {
  if (node === undefined) return "nothing";
  if (node.enum !== undefined) return node.enum.join(" or ");
  if (node.const !== undefined) return node.const;
  switch (node.type) {
    case "integer":
      return `a whole number${rangeOf(node)}`;
    case "number":
      return `a number${rangeOf(node)}`;
    case "boolean":
      return "true or false";
    case "string":
      return node.maxLength === undefined
        ? "a text that is not empty"
        : `a text of 1 to ${node.maxLength} characters`;
    default:
      return "a group of keys";
  }
}

function rangeOf({ minimum, maximum, exclusiveMinimum }: SchemaNode): string {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  const bounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (minimum !== undefined && bounded) return ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? "" : `, ${minimum} or more`;
}
