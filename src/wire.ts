import { openLanceStore } from "./adapters/lance/open-lance-store.ts";
import type { OpenAiServer } from "./adapters/openai/open-client.ts";
import type { ServerState } from "./adapters/openai/probe-server.ts";
import { loadStaticEmbedder } from "./adapters/static-embedder/load-static-embedder.ts";
import { createNodeSystem } from "./adapters/system/node-system.ts";
import type { AgentDeps } from "./agents/agent-deps.ts";
import type { PairJudgement } from "./agents/cluster/judge-pair.ts";
import type { Config } from "./config/config.ts";
import type { Instant } from "./model/instant.ts";
import { packagePath } from "./model/package-path.ts";
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
import { loadAgentDeps } from "./wire/load-agent-deps.ts";
import { openEmbedder } from "./wire/open-embedder.ts";
import { openModel } from "./wire/open-model.ts";
import { openTracker } from "./wire/open-tracker.ts";

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
  // Beside this module lies all code, bundled or not, on which the results depend.
  const stamp = await stampCode([import.meta.dirname, packagePath("assets")]);
  const basis = JSON.stringify([stamp, embedderId]);
  return { kept: { cache: full ? { ...cache, read: async () => undefined } : cache, basis } };
}

/** Asks a configured server of models whether it is there. */
export async function probeServer(server: OpenAiServer): Promise<ServerState> {
  return await (await import("./adapters/openai/probe-server.ts")).probeServer(server);
}

const SILENT: Progress = { start() {}, advance() {}, finish() {}, note() {} };

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
