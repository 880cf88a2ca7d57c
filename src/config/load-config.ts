import { homedir } from "node:os";
import path from "node:path";
import type { z } from "zod";
import { hideSecrets } from "../model/api-key.ts";
import { SlowwaveError } from "../model/errors.ts";
import { completeConfig, type Layered } from "./complete-config.ts";
import type { CheckedConfig, Config, configSchema, LanguageModelConfig } from "./config.ts";
import { resolveEmbeddings } from "./embeddings.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { resolveLanguageModel } from "./language-model.ts";
import { defaultCache, defaultConfigFile, defaultStore, type Machine } from "./locations.ts";
import { findPlaceProblems, resolveLocation } from "./paths.ts";
import { findCrossFieldProblems, findFolderProblems } from "./problems.ts";
import { readConfigFile } from "./read-config-file.ts";

/** What a command line or a library call may say itself; it wins over environment and file. */
export type ConfigFlags = {
  readonly [K in keyof z.input<typeof configSchema>]?: z.input<typeof configSchema>[K] | undefined;
} & {
  readonly storage?: Readonly<Record<string, string>> | undefined;
};

export interface ConfigSources {
  /** Given by name (`--config`): it must exist. Without it the default file is read where there is one. */
  readonly file?: string;
  readonly env: Environment;
  readonly flags?: ConfigFlags;
  /** Where relative paths of flags and environment start. @default process.cwd() */
  readonly cwd?: string;
  /** @default process.platform */
  readonly platform?: NodeJS.Platform;
}

/**
 * File, then environment, then flags, each over the one before; then defaults. Relative paths in the file start at the file's folder.
 * @throws SlowwaveError `config` that lists every problem at once.
 */
export async function loadConfig(sources: ConfigSources): Promise<Config> {
  const machine = machineOf(sources);
  const layers = await collectLayers(sources, machine);
  const { problems } = layers;
  layers.raw.store ??= defaultStore(machine);
  const completed = await completeConfig(layers);
  problems.push(...completed.problems);
  const { config } = completed;
  if (config === undefined) throw configError(problems);
  problems.push(...findCrossFieldProblems(config.settings));
  problems.push(...findFolderProblems(config.notes.folder));
  problems.push(...(await findPlaceProblems(config)));
  const { tracker } = config;
  if (tracker.kind === "beads" && tracker.directory === undefined) {
    problems.push("tracker.directory: needed where issues are kept in beads, got nothing");
  }
  const { llm, embeddings, storage, ...rest } = config;
  const found = { env: sources.env, machine, problems };
  const model = languageModelOf(llm, found);
  const embedder = embeddingsOf(embeddings, found);
  if (problems.length > 0) throw configError(problems);
  return {
    ...rest,
    profileFolder: path.join(path.dirname(configFileOf(sources)), "profiles"),
    ...(storage === undefined ? {} : { storage: hideSecrets(storage) }),
    derivedFolder: path.join(defaultCache(machine), "derived"),
    ...(model === undefined ? {} : { llm: model }),
    ...(embedder === undefined ? {} : { embeddings: embedder }),
  };
}

interface Found {
  readonly env: Environment;
  readonly machine: Machine;
  readonly problems: string[];
}

function embeddingsOf(input: CheckedConfig["embeddings"], found: Found): Config["embeddings"] {
  const { timeoutSeconds, textsPerCall, tokensPerCall, tokensPerText, ...server } = input;
  const resolution = resolveEmbeddings(server, found.env);
  if (resolution.kind === "problem") found.problems.push(resolution.problem);
  const cacheFolder = path.join(defaultCache(found.machine), "embeddings");
  if (resolution.kind === "local") return { provider: "local", cacheFolder };
  if (resolution.kind !== "model") return undefined;
  return {
    ...resolution.model,
    timeoutSeconds,
    textsPerCall,
    tokensPerCall,
    tokensPerText,
    cacheFolder,
  };
}

function languageModelOf(llm: CheckedConfig["llm"], found: Found): LanguageModelConfig | undefined {
  const { provider, endpoint, model, apiKey, ...limits } = llm;
  const resolution = resolveLanguageModel({ provider, endpoint, model, apiKey }, found.env);
  if (resolution.kind === "problem") found.problems.push(resolution.problem);
  if (resolution.kind !== "model") return undefined;
  return {
    ...limits,
    ...resolution.model,
    cacheFolder: path.join(defaultCache(found.machine), "llm"),
  };
}

/** The file that `loadConfig` would read, whether it exists or not. */
export function configFileOf(sources: ConfigSources): string {
  const named = sources.file ?? (sources.env.SLOWWAVE_CONFIG || undefined);
  return named === undefined
    ? defaultConfigFile(machineOf(sources))
    : path.resolve(sources.cwd ?? process.cwd(), named);
}

function machineOf(sources: ConfigSources): Machine {
  return {
    platform: sources.platform ?? process.platform,
    homeFolder: sources.env.HOME || homedir(),
    env: sources.env,
  };
}

interface Layers extends Layered {
  readonly raw: Record<string, unknown>;
  readonly problems: string[];
}

async function collectLayers(sources: ConfigSources, machine: Machine): Promise<Layers> {
  const cwd = sources.cwd ?? process.cwd();
  const file = configFileOf(sources);
  const required = sources.file !== undefined || Boolean(sources.env.SLOWWAVE_CONFIG);
  const origins = new Map<string, string>();
  const raw = (await readConfigFile(file, { required })) ?? {};
  origins.set("", file);
  resolvePlaces(raw, path.dirname(file), machine);

  const over: Record<string, unknown> = {};
  const environment = await readEnvironment(sources.env, async () =>
    (await import("./config-tree.ts")).configTree(),
  );
  for (const { path: place, value, variable } of environment.settings) {
    setAt(over, place, value);
    origins.set(place.join("."), variable);
  }
  for (const [place, value] of leavesOf(sources.flags ?? {})) {
    setAt(over, place, value);
    origins.set(place.join("."), "flag");
  }
  resolvePlaces(over, cwd, machine);
  for (const group of ["llm", "embeddings"]) dropForeignKey(raw[group], over[group]);
  for (const [place, value] of leavesOf(over)) setAt(raw, place, value);
  return { raw, origins, problems: [...environment.problems] };
}

function resolvePlaces(layer: Record<string, unknown>, base: string, machine: Machine): void {
  for (const key of ["store", "vault", "similarityProfile"]) {
    const value = layer[key];
    if (typeof value !== "string" || value === "") continue;
    layer[key] = resolveLocation(value, { base, homeFolder: machine.homeFolder });
  }
  if (isGroup(layer.log) && typeof layer.log.file === "string" && layer.log.file !== "") {
    const { homeFolder } = machine;
    layer.log = { ...layer.log, file: resolveLocation(layer.log.file, { base, homeFolder }) };
  }
  if (isGroup(layer.tracker)) layer.tracker = withPaths(layer.tracker, { base, machine });
}

/** The folder may be named as the project's or as its `.beads`; a command without a slash is looked up on the PATH. */
function withPaths(
  tracker: Record<string, unknown>,
  { base, machine }: { readonly base: string; readonly machine: Machine },
): Record<string, unknown> {
  const { directory, command } = tracker;
  const resolve = (value: string) =>
    resolveLocation(value, { base, homeFolder: machine.homeFolder });
  const resolved = { ...tracker };
  if (typeof directory === "string" && directory !== "") {
    const folder = resolve(directory);
    resolved.directory = path.basename(folder) === ".beads" ? folder : path.join(folder, ".beads");
  }
  if (typeof command === "string" && /[/\\]/.test(command)) resolved.command = resolve(command);
  return resolved;
}

/** A key in the file was given for the server that stands beside it, not for one that the environment names instead. */
function dropForeignKey(weak: unknown, strong: unknown): void {
  if (!isGroup(weak) || !isGroup(strong)) return;
  const isElsewhere = ["provider", "endpoint"].some(
    (key) => strong[key] !== undefined && strong[key] !== weak[key],
  );
  if (isElsewhere) delete weak.apiKey;
}

function leavesOf(layer: object, place: readonly string[] = []): [string[], unknown][] {
  return Object.entries(layer).flatMap(([key, value]): [string[], unknown][] => {
    if (value === undefined) return [];
    if (isGroup(value)) return leavesOf(value, [...place, key]);
    return [[[...place, key], value]];
  });
}

/** Where something that is no group stands in the way it is left there, and the schema reports it. */
function setAt(layer: Record<string, unknown>, place: readonly string[], value: unknown): void {
  const [key, ...rest] = place;
  if (key === undefined) return;
  if (rest.length === 0) {
    layer[key] = value;
    return;
  }
  layer[key] ??= {};
  const inner = layer[key];
  if (isGroup(inner)) setAt(inner, rest, value);
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function configError(problems: readonly string[]): SlowwaveError {
  const [first = ""] = problems;
  const message =
    problems.length === 1
      ? first
      : [
          `${problems.length} problems in the configuration:`,
          ...problems.map((it) => `  ${it}`),
        ].join("\n");
  return new SlowwaveError("config", message, {
    hint: "`slowwave config` prints the effective configuration with every key.",
  });
}
