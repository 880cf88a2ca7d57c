import { nodeAt, type SchemaNode, scalarPaths } from "./schema-tree.ts";
import { suggest } from "./suggest.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** One value found in the environment, for the place in the configuration that it sets. */
export interface EnvironmentSetting {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly variable: string;
}

/** Read elsewhere: where the store and the file are is decided before there is a configuration. */
const OTHER_VARIABLES = ["SLOWWAVE_HOME", "SLOWWAVE_CONFIG"];

/** CortexGraph's own names. The interval comes in seconds there. */
const CORTEXGRAPH: readonly (readonly [
  variable: string,
  path: readonly string[],
  scale: number,
])[] = [
  ["CORTEXGRAPH_CONSOLIDATION_INTERVAL", ["intervalHours"], 1 / 3600],
  ["CORTEXGRAPH_FORGET_THRESHOLD", ["settings", "decay", "forgetBelow"], 1],
  ["CORTEXGRAPH_PROMOTE_THRESHOLD", ["settings", "promote", "scoreAtLeast"], 1],
  ["CORTEXGRAPH_PROMOTE_USE_COUNT", ["settings", "promote", "usesAtLeast"], 1],
];

/** Everything the environment sets, weakest first: CortexGraph's names give way to slowwave's own. An empty variable counts as unset. */
export async function readEnvironment(
  env: Environment,
  readTree: () => Promise<SchemaNode>,
): Promise<{
  readonly settings: readonly EnvironmentSetting[];
  readonly problems: readonly string[];
}> {
  const own: EnvironmentSetting[] = [];
  const problems: string[] = [];
  const given = Object.entries(env).filter(
    ([variable, text]) =>
      variable.startsWith("SLOWWAVE_") && text && !OTHER_VARIABLES.includes(variable),
  );
  // The tree takes a tenth of a recall's time to derive, and most environments say nothing.
  if (given.length === 0) return { settings: readCortexgraph(env), problems };
  const tree = await readTree();
  const known = new Map(scalarPaths(tree).map((path) => [variableOf(path), path]));
  for (const [variable, text = ""] of given.sort()) {
    const path = known.get(variable);
    if (path) own.push({ path, variable, value: scalarFrom(text, nodeAt(tree, path)) });
    else problems.push(unknownVariable(variable, [...known.keys(), ...OTHER_VARIABLES]));
  }
  return { settings: [...readCortexgraph(env), ...own], problems };
}

/** `settings.decay.halfLifeDays` → `SLOWWAVE_DECAY_HALF_LIFE_DAYS`; `settings` itself is left out. */
function variableOf(path: readonly string[]): string {
  const words = path[0] === "settings" ? path.slice(1) : path;
  const snake = words.map((word) => word.replace(/[A-Z]/g, (letter) => `_${letter}`));
  return `SLOWWAVE_${snake.join("_").toUpperCase()}`;
}

function readCortexgraph(env: Environment): EnvironmentSetting[] {
  return CORTEXGRAPH.flatMap(([variable, path, scale]) => {
    const text = env[variable];
    if (!text) return [];
    const number = numberFrom(text);
    return [{ path, variable, value: number === undefined ? text : number * scale }];
  });
}

/** A text that does not fit the type stays text, and the schema refuses it with the name of the variable. */
function scalarFrom(text: string, node: SchemaNode | undefined): unknown {
  if (node?.type === "number" || node?.type === "integer") return numberFrom(text) ?? text;
  if (node?.type === "boolean") return BOOLEANS[text.toLowerCase()] ?? text;
  return text;
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  "1": true,
  "0": false,
};

function numberFrom(text: string): number | undefined {
  return /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

function unknownVariable(variable: string, known: readonly string[]): string {
  const near = suggest(variable, known);
  return `${variable}: no such setting${near ? `; did you mean ${near}?` : ""}`;
}
