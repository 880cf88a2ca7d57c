import { tmpdir } from "node:os";
import path from "node:path";
import { readAsset } from "./adapters/bundled-assets/read-asset.ts";
import { createEmbeddedTracker } from "./adapters/issues-embedded/create-embedded-tracker.ts";
import { createLock } from "./adapters/lance/lock.ts";
import { openLanceStore } from "./adapters/lance/open-lance-store.ts";
import type { OpenAiServer } from "./adapters/openai/open-client.ts";
import type { ServerState } from "./adapters/openai/probe-server.ts";
import {
  loadStaticEmbedder,
  type StaticEmbedder,
} from "./adapters/static-embedder/load-static-embedder.ts";
import { createNodeSystem } from "./adapters/system/node-system.ts";
import type { AgentDeps } from "./agents/agent-deps.ts";
import type { PairJudgement } from "./agents/cluster/judge-pair.ts";
import type { Config } from "./config/config.ts";
import { profileFileOf, profileNameOf, readProfileFile } from "./config/profile-file.ts";
import { SlowwaveError } from "./model/errors.ts";
import { hashOf } from "./model/hash.ts";
import type { Instant } from "./model/instant.ts";
import type { Agent } from "./ports/agent.ts";
import type { Clock } from "./ports/clock.ts";
import type { Embedder } from "./ports/embedder.ts";
import type { IssueMirror, IssueTracker } from "./ports/issue-tracker.ts";
import type { MemoryStore } from "./ports/memory-store.ts";
import type { NoteVault, VaultFormat } from "./ports/note-vault.ts";
import type { Progress } from "./ports/progress.ts";
import type { System } from "./ports/system.ts";
import type { Timetable } from "./ports/timetable.ts";
import type { VersionControl } from "./ports/version-control.ts";
import type { SimilarityProfile } from "./similarity/profile.ts";

export { createNodeSystem, type ServerState };

export interface OpenOptions {
  readonly config: Config;
  /** `read` writes no byte: what a dry run, `list`, `show`, `stats` use. @default "write" */
  readonly mode?: "read" | "write";
  /** Make the store when it is not there. @default true in mode `write` */
  readonly create?: boolean;
  /** Sets aside what of the store cannot be read, however much, and tells of it. @default false */
  readonly repair?: boolean;
  /** Fixes the clock everywhere. */
  readonly asOf?: Instant;
  readonly progress?: Progress;
  /** False: no language model, also where one is configured. @default true */
  readonly languageModel?: boolean;
  /** Calls to the model a minute. @default the configuration's */
  readonly rateLimit?: number;
}

/** Everything a run, a command or a library call works with, built from configuration in one place. */
export interface Parts {
  readonly config: Config;
  readonly store: MemoryStore;
  readonly tracker: IssueTracker;
  /** Present where issues are kept outside of the store: runs bring both together. */
  readonly mirror?: IssueMirror;
  /** Absent where no vault is configured. */
  readonly vault?: NoteVault;
  /** Loaded when asked for, with the YAML that it needs: recall touches no note. */
  loadNoteFormat(): Promise<VaultFormat>;
  /** Absent where there is no vault, or commits are switched off. */
  readonly versionControl?: VersionControl;
  readonly embedder: Embedder;
  /** Fresh agents for one run, in the order in which they run. Their code and word lists are loaded here: recall needs neither. */
  createAgents(how?: { readonly full: boolean }): Promise<readonly Agent<unknown>[]>;
  readonly clock: Clock;
  readonly system: System;
  readonly progress: Progress;
  close(): Promise<void>;
}

/**
 * Builds the parts: the only place that knows which adapter stands behind which port.
 * @throws SlowwaveError `config`, `store_unavailable`, `store_newer`, `store_damaged`, `embedder`
 */
export async function openParts(options: OpenOptions): Promise<Parts> {
  const { config, mode = "write", asOf, progress = SILENT } = options;
  const system = createNodeSystem();
  const builtIn = await loadStaticEmbedder();
  const embedder = await openEmbedder(options, { builtIn, system, progress });
  const vaultParts = await openVaultParts(config);
  const store = await openLanceStore({
    uri: config.store,
    ...(config.storage ? { storageOptions: config.storage.reveal() } : {}),
    embedder,
    mode,
    create: options.create ?? mode === "write",
    repair: options.repair ?? false,
    onNote: (note) => progress.note(note),
  });
  let agentDeps: Promise<AgentDeps> | undefined;
  return {
    config,
    store,
    ...(await openTracker({ store, system, options })),
    ...vaultParts,
    loadNoteFormat: async () => {
      const { createNoteFormat } = await import("./adapters/obsidian/note-format.ts");
      return createNoteFormat(config.notes);
    },
    embedder,
    createAgents: async (how = { full: false }) => {
      const { createAgents } = await import("./agents/index.ts");
      agentDeps ??= loadAgentDeps(config, { builtIn, embedder });
      return createAgents({
        ...(await agentDeps),
        ...(await openKept(config.derivedFolder, {
          storeId: store.storeId,
          embedderId: embedder.id,
          progress,
          ...how,
        })),
        ...(await openModel(options, system, progress)),
      });
    },
    clock: { now: () => asOf ?? system.wallNow() },
    system,
    progress,
    close: () => store.close(),
  };
}

/** What earlier runs have kept: read, unless a full run is asked for, and replaced in any case. */
async function openKept(
  folder: string | undefined,
  how: {
    readonly storeId: string;
    readonly embedderId: string;
    readonly progress: Progress;
    readonly full: boolean;
  },
): Promise<Pick<AgentDeps, "kept">> {
  if (folder === undefined) return {};
  const { storeId, embedderId, progress, full } = how;
  const { openFileDerivedCache } = await import("./adapters/derived-cache/file-derived-cache.ts");
  const { stampCode } = await import("./adapters/derived-cache/code-stamp.ts");
  const onNote = (note: string): void => progress.note(note);
  const cache = openFileDerivedCache({ folder, storeId, onNote });
  const here = import.meta.dirname;
  const code = ["text", "similarity", "agents", "../assets"];
  const stamp = await stampCode(code.map((place) => path.join(here, place)));
  const basis = JSON.stringify([stamp, embedderId]);
  return { kept: { cache: full ? { ...cache, read: async () => undefined } : cache, basis } };
}

/** Opening asks beads nothing: what never looks at an issue needs no `bd`. */
async function openTracker(opening: {
  readonly store: MemoryStore;
  readonly system: System;
  readonly options: OpenOptions;
}): Promise<Pick<Parts, "tracker" | "mirror">> {
  const { store, system, options } = opening;
  const { tracker, rateLimit } = options.config;
  if (tracker.kind === "embedded" || tracker.directory === undefined) {
    return { tracker: createEmbeddedTracker(store) };
  }
  const { createBeadsTracker } = await import("./adapters/issues-beads/create-beads-tracker.ts");
  const { createPacer } = await import("./scheduler/pacer.ts");
  const pacer = createPacer(options.rateLimit ?? rateLimit, system);
  const never = new AbortController().signal;
  const lockFile = path.join(tmpdir(), `slowwave-beads-${hashOf(tracker.directory, 16)}.lock`);
  const lock = createLock(lockFile, 0);
  const beads = createBeadsTracker({
    command: tracker.command,
    folder: tracker.directory,
    storeId: store.storeId,
    actor: `slowwave#${hashOf(system.randomToken(), 8)}`,
    env: process.env,
    pace: () => pacer.take(never),
    exclusive: (work) => lock.runAlone(work),
  });
  return { tracker: beads, mirror: beads };
}

/** Asks a configured server of models whether it is there. */
export async function probeServer(server: OpenAiServer): Promise<ServerState> {
  return await (await import("./adapters/openai/probe-server.ts")).probeServer(server);
}

const SILENT: Progress = { start() {}, advance() {}, finish() {}, note() {} };

/** The built-in embedder, or the configured one; calls of a server are paced from here. */
async function openEmbedder(
  { config, rateLimit = config.rateLimit }: Pick<OpenOptions, "config" | "rateLimit">,
  parts: {
    readonly builtIn: StaticEmbedder;
    readonly system: System;
    readonly progress: Progress;
  },
): Promise<Embedder> {
  const { embeddings } = config;
  if (embeddings === undefined) return parts.builtIn;
  const { openVectorCache } = await import("./adapters/vector-cache/open-vector-cache.ts");
  const { cacheFolder: folder } = embeddings;
  const onNote = (note: string): void => parts.progress.note(note);
  if (embeddings.provider === "local") {
    const { createLocalEmbedder, LOCAL_MODEL } = await import(
      "./adapters/local-embedder/create-local-embedder.ts"
    );
    const { id, dimensions } = LOCAL_MODEL;
    const cache = openVectorCache({ folder, scope: [id], dimensions });
    return createLocalEmbedder({ cache, onNote });
  }
  const { endpoint, model, dimensions } = embeddings;
  const { createOpenAiEmbedder } = await import("./adapters/openai/create-openai-embedder.ts");
  const { createPacer } = await import("./scheduler/pacer.ts");
  const pacer = createPacer(rateLimit, parts.system);
  return createOpenAiEmbedder({
    ...embeddings,
    key: embeddings.apiKey?.reveal(),
    timeoutMs: embeddings.timeoutSeconds * 1000,
    cache: openVectorCache({ folder, scope: [endpoint, model], dimensions }),
    system: parts.system,
    pace: (signal) => pacer.take(signal),
    onNote,
  });
}

/** A model for one run: its ceilings, its pace and its breaker count from here. */
async function openModel(
  { config, languageModel = true, rateLimit = config.rateLimit }: OpenOptions,
  system: System,
  progress: Progress,
): Promise<Pick<AgentDeps, "model">> {
  const { llm } = config;
  if (llm === undefined || !languageModel) return {};
  const { createOpenAiModel } = await import("./adapters/openai/create-openai-model.ts");
  const { createPacer } = await import("./scheduler/pacer.ts");
  const pacer = createPacer(rateLimit, system);
  const model = createOpenAiModel({
    provider: llm.provider,
    endpoint: llm.endpoint,
    model: llm.model,
    key: llm.apiKey?.reveal(),
    timeoutMs: llm.timeoutSeconds * 1000,
    ceilings: llm,
    cacheFolder: llm.cacheFolder,
    system,
    pace: (signal) => pacer.take(signal),
    onNote: (note) => progress.note(note),
  });
  return { model };
}

async function openVaultParts(config: Config): Promise<Pick<Parts, "vault" | "versionControl">> {
  const { vault: root, git } = config;
  if (root === undefined) return {};
  const { openNoteVault } = await import("./adapters/obsidian/note-vault.ts");
  const vault = openNoteVault({ root, storePath: config.store });
  if (!git.enabled) return { vault };
  const identity =
    git.name !== undefined && git.email !== undefined
      ? { name: git.name, email: git.email }
      : undefined;
  const { openVersionControl } = await import("./adapters/git/version-control.ts");
  return {
    vault,
    versionControl: openVersionControl({
      root,
      sign: git.sign,
      push: git.push,
      ...(identity ? { identity } : {}),
    }),
  };
}

/** The cluster agent's judgement of pairs, without a store. */
export interface Judge {
  readonly embedder: Embedder;
  readonly profile: SimilarityProfile;
  /** `profile` in place of the one in use. */
  judge(
    pair: { readonly a: string; readonly b: string; readonly cosine: number },
    profile?: SimilarityProfile,
  ): PairJudgement;
}

export async function loadScheduleInstallers() {
  const schedulers = await import("./adapters/system-schedulers/create-schedule-installer.ts");
  return schedulers.createScheduleInstaller;
}

/** The times of a cron expression. @throws SlowwaveError `usage` */
export async function loadTimetable(expression: string, timezone: string): Promise<Timetable> {
  const { createTimetable } = await import("./adapters/system-schedulers/create-timetable.ts");
  return createTimetable(expression, timezone);
}

/** Judges two texts as the cluster agent would. Opens no store. */
export async function openJudge(
  config: Config,
  {
    progress = SILENT,
    isCalibrating = false,
  }: {
    readonly progress?: Progress;
    /** A configured profile that is not there yet, or another embedder's, is none. */
    readonly isCalibrating?: boolean;
  } = {},
): Promise<Judge> {
  const { settings } = config;
  const builtIn = await loadStaticEmbedder();
  const embedder = await openEmbedder(
    { config },
    { builtIn, system: createNodeSystem(), progress },
  );
  const deps = await loadAgentDeps({ ...config, isCalibrating }, { builtIn, embedder });
  const { judgePair } = await import("./agents/cluster/judge-pair.ts");
  return {
    embedder,
    profile: deps.profile,
    judge: (pair, profile = deps.profile) =>
      judgePair(pair, { deps: { ...deps, profile }, settings }),
  };
}

/** The rules compare words by the built-in vectors, whichever embedder compares the texts: that is what they were measured with. */
async function loadAgentDeps(
  config: ProfileChoice,
  { builtIn, embedder }: { readonly builtIn: StaticEmbedder; readonly embedder: Embedder },
): Promise<AgentDeps> {
  const antonyms = await readAsset("antonyms.json");
  if (!isPairList(antonyms)) {
    throw new SlowwaveError("config", "assets/antonyms.json: expected a list of word pairs", {
      hint: "Install the package again.",
    });
  }
  const { createAntonymLexicon } = await import("./text/conflicts/antonym-lexicon.ts");
  const { createConflictRules } = await import("./text/conflicts/create-conflict-rules.ts");
  const { dot } = await import("./similarity/vectors.ts");
  const rules = createConflictRules({
    antonyms: createAntonymLexicon(antonyms),
    spanSimilarity: (a, b) => dot(builtIn.encode(a), builtIn.encode(b)),
  });
  return { rules, profile: await loadProfile(config, embedder.id) };
}

function isPairList(value: unknown): value is readonly (readonly [string, string])[] {
  return (
    Array.isArray(value) &&
    value.every(
      (pair) =>
        Array.isArray(pair) && pair.length === 2 && pair.every((word) => typeof word === "string"),
    )
  );
}

type ProfileChoice = Pick<Config, "similarityProfile" | "profileFolder"> & {
  readonly isCalibrating?: boolean;
};

/**
 * The profile that was fitted to labels of one's own, else the one that ships with slowwave. An embedder that nobody has measured gets
 * the cautious profile, which merges little.
 * @throws SlowwaveError `config` where the configured profile is missing, damaged, or another embedder's.
 */
async function loadProfile(config: ProfileChoice, embedderId: string): Promise<SimilarityProfile> {
  const { parseProfile, unfittedProfile } = await import("./similarity/profile.ts");
  const file = profileFileOf(config, embedderId);
  const own = file === undefined ? undefined : await readProfileFile(file, parseProfile);
  if (own?.embedder === embedderId) return own;
  if (own !== undefined && !config.isCalibrating) {
    throw new SlowwaveError(
      "config",
      `the similarity profile ${file} was fitted to ${own.embedder}, and ${embedderId} is configured`,
      { hint: "Fit one to it with `slowwave calibrate`, or take `similarityProfile` away." },
    );
  }
  if (config.similarityProfile !== undefined && !config.isCalibrating) {
    throw new SlowwaveError("config", `${file}: no such similarity profile`, {
      hint: "`slowwave calibrate --write` makes it.",
    });
  }
  const stored = await readAsset(`profiles/${profileNameOf(embedderId)}`);
  return stored === undefined ? unfittedProfile(embedderId) : parseProfile(stored);
}
