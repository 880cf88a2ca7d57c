import { z } from "zod";
import type { HiddenOptions } from "../model/api-key.ts";
import { type Settings, settingsSchema } from "../model/settings.ts";
import { DEFAULT_CONFIG } from "./default-config.ts";
import { EMBEDDING_PROVIDERS, type ResolvedEmbeddings } from "./embeddings.ts";
import { PROVIDERS, type ResolvedServer } from "./resolve-server.ts";

const nonEmpty = z.string().min(1);
const { llm, embeddings, notes, tracker, git } = DEFAULT_CONFIG;

const languageModelSchema = z.strictObject({
  provider: z.enum(PROVIDERS).exactOptional().describe("whose preset endpoint and model to use"),
  endpoint: nonEmpty.exactOptional().describe("base URL of an OpenAI-compatible server"),
  model: nonEmpty.exactOptional().describe("name of the model there"),
  apiKey: nonEmpty.exactOptional().describe("better given as LLM_API_KEY"),
  timeoutSeconds: z.number().min(1).max(3600).default(llm.timeoutSeconds),
  callsPerRun: z.int().min(0).default(llm.callsPerRun),
  tokensPerRun: z.int().min(0).default(llm.tokensPerRun),
  callsPerDay: z.int().min(0).default(llm.callsPerDay),
  tokensPerDay: z.int().min(0).default(llm.tokensPerDay),
});

const embeddingsSchema = z.strictObject({
  provider: z
    .enum(EMBEDDING_PROVIDERS)
    .exactOptional()
    .describe("whose preset endpoint and model to use; built-in by default"),
  endpoint: nonEmpty.exactOptional().describe("base URL of an OpenAI-compatible server"),
  model: nonEmpty.exactOptional().describe("name of the embedding model there"),
  apiKey: nonEmpty.exactOptional().describe("better given as SLOWWAVE_EMBEDDINGS_API_KEY"),
  dimensions: z
    .int()
    .min(2)
    .max(8192)
    .exactOptional()
    .describe("numbers in a vector; known for common models"),
  timeoutSeconds: z.number().min(1).max(3600).default(embeddings.timeoutSeconds),
  textsPerCall: z.int().min(1).max(2048).default(embeddings.textsPerCall),
  tokensPerCall: z.int().min(1).default(embeddings.tokensPerCall).describe("estimated"),
  tokensPerText: z
    .int()
    .min(16)
    .default(embeddings.tokensPerText)
    .describe("estimated; of a longer text the beginning counts"),
});

/** Embeddings of a server, with its key hidden from whoever prints it. */
export interface ServedEmbeddings extends ResolvedEmbeddings {
  readonly timeoutSeconds: number;
  readonly textsPerCall: number;
  readonly tokensPerCall: number;
  readonly tokensPerText: number;
  /** An absolute path; computed vectors live there. */
  readonly cacheFolder: string;
}

/** The model that runs on this machine. */
export interface LocalEmbeddings {
  readonly provider: "local";
  readonly cacheFolder: string;
}

/** A model that is configured, with its key hidden from whoever prints it. */
export interface LanguageModelConfig extends ResolvedServer {
  readonly timeoutSeconds: number;
  readonly callsPerRun: number;
  readonly tokensPerRun: number;
  readonly callsPerDay: number;
  readonly tokensPerDay: number;
  /** An absolute path; replies and the spend ledger live there. */
  readonly cacheFolder: string;
}

/**
 * What a configuration file may say. Environment and flags are laid over it before it is checked, so one schema judges all three.
 * The namespace has the model's limit; paths are made absolute before they come here.
 */
export const configSchema = z.strictObject({
  store: nonEmpty.describe("folder or URI of the store"),
  vault: nonEmpty.exactOptional().describe("folder of the Obsidian vault"),
  namespace: nonEmpty.max(128).exactOptional().describe("namespace that commands work in"),
  similarityProfile: nonEmpty
    .exactOptional()
    .describe("file of a profile that `slowwave calibrate` fitted; by default beside this file"),
  settings: settingsSchema.prefault({}),
  intervalHours: z
    .number()
    .min(0)
    .default(DEFAULT_CONFIG.intervalHours)
    .describe("hours between two scheduled pipeline runs"),
  rateLimit: z
    .int()
    .min(1)
    .default(DEFAULT_CONFIG.rateLimit)
    .describe("calls a minute that leave the process, per agent"),
  throttle: z.int().min(1).exactOptional().describe("items a minute, per agent; off by default"),
  notes: z
    .strictObject({
      folder: nonEmpty
        .default(notes.folder)
        .describe(
          "folder of notes in the vault, with {kind}, {topic}, {namespace}, {year}, {month}",
        ),
      log: z.boolean().default(notes.log).describe("a note a month of what became of memories"),
    })
    .prefault({}),
  tracker: z
    .strictObject({
      kind: z
        .enum(["embedded", "beads"])
        .default(tracker.kind)
        .describe("where issues are kept: in the store itself, or in a beads database"),
      directory: nonEmpty
        .exactOptional()
        .describe("the project whose `.beads` folder is meant, or that folder"),
      command: nonEmpty.default(tracker.command).describe("name or path of beads' command"),
    })
    .prefault({}),
  log: z
    .strictObject({
      file: nonEmpty
        .exactOptional()
        .describe("where runs are logged for machines, a JSON object a line: ids and counts"),
    })
    .prefault({}),
  git: z
    .strictObject({
      enabled: z.boolean().default(git.enabled),
      name: nonEmpty.exactOptional(),
      email: nonEmpty.exactOptional(),
      sign: z.boolean().default(git.sign).describe("sign commits as git is configured to"),
      push: z.boolean().default(git.push).describe("push the branch after a commit of notes"),
    })
    .prefault({}),
});

/** With what holds secrets, as people write it. Which models come of it depends on the environment too. */
export const configFileSchema = configSchema.extend({
  storage: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe("how an object store is reached, by LanceDB's names; AWS_* variables do as well"),
  llm: languageModelSchema.prefault({}),
  embeddings: embeddingsSchema.prefault({}),
});
export type CheckedConfig = z.output<typeof configFileSchema>;

/** beads needs a `directory`, an absolute path to its `.beads` folder. */
export interface TrackerConfig {
  readonly kind: "embedded" | "beads";
  readonly directory?: string;
  readonly command: string;
}

/** The effective configuration: every default filled in, every path absolute. */
export interface Config {
  /** An absolute path, or a URI such as `s3://bucket/store`. */
  readonly store: string;
  /** For a store that is no folder. */
  readonly storage?: HiddenOptions;
  /** An absolute path; absent where no vault is wanted. */
  readonly vault?: string;
  /** Absent: commands that need one use `default`, the others cover all. */
  readonly namespace?: string;
  /** An absolute path: the profile that must be used. */
  readonly similarityProfile?: string;
  /** An absolute path: a profile there that was fitted to the embedder is used. Absent: only what ships with slowwave. */
  readonly profileFolder?: string;
  readonly settings: Settings;
  readonly intervalHours: number;
  readonly rateLimit: number;
  readonly throttle?: number;
  /** Absent: no language model is used. */
  readonly llm?: LanguageModelConfig;
  /** Where runs keep results of theirs for the next; may be deleted at any time. Absent: nothing is kept. */
  readonly derivedFolder?: string;
  /** Absent: the built-in embedder. */
  readonly embeddings?: ServedEmbeddings | LocalEmbeddings;
  readonly notes: { readonly folder: string; readonly log: boolean };
  readonly tracker: TrackerConfig;
  readonly log: { /** An absolute path. */ readonly file?: string };
  readonly git: {
    readonly enabled: boolean;
    readonly name?: string;
    readonly email?: string;
    readonly sign: boolean;
    readonly push: boolean;
  };
}
