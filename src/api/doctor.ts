import type { Config } from "../config/config.ts";
import { isUri } from "../config/paths.ts";
import { SlowwaveError } from "../model/errors.ts";
import type { ScheduleInstaller } from "../ports/schedule-installer.ts";
import type { OpenOptions, Parts } from "../wire.ts";
import { checkDates } from "./doctor-dates.ts";
import { advise, broken, brokenBy, type Finding, fine, notesInto } from "./doctor-finding.ts";
import { checkDisk, checkGit, checkNode, checkSchedules, checkVault } from "./doctor-places.ts";
import { probeFolder } from "./doctor-probes.ts";
import { checkServers, checkTracker, type ProbeServer } from "./doctor-servers.ts";
import { checkStoreContents } from "./doctor-store.ts";
import { findLeftovers, listDamaged } from "./repair.ts";

export interface DoctorInput {
  loadConfig(): Promise<Config>;
  openParts(options: OpenOptions): Promise<Parts>;
  readonly schedules: readonly ScheduleInstaller[];
  readonly probeServer: ProbeServer;
  /** Fixes the clock. */
  readonly asOf?: number;
  /** @default process.versions.node */
  readonly nodeVersion?: string;
  /** @default process.platform */
  readonly platform?: NodeJS.Platform;
}

const PROBE_MS = 5_000;

/**
 * Looks at everything that a nightly run depends on. It writes a probe file into store and vault and removes it, and opens the store for
 * writing as a run does; records and notes stay as they are.
 */
export async function diagnose(input: DoctorInput): Promise<readonly Finding[]> {
  const node = checkNode(input.nodeVersion ?? process.versions.node);
  const config = await attempt(() => input.loadConfig());
  if (!config.ok) return [node, brokenBy("configuration", config.error)];
  const { store, vault } = config.value;
  // Before anything else touches the vault, since a vault that keeps one waiting keeps everything waiting.
  const probe = vault === undefined ? undefined : await probeFolder(vault, PROBE_MS);
  const { vault: _silent, ...withoutVault } = config.value;
  return [
    node,
    fine("configuration", "no problems"),
    await checkDisk(config.value),
    vault === undefined || probe === undefined
      ? advise("vault", "none is configured, so promotion waits", "Set `vault` to a folder.")
      : checkVault(vault, probe, input.platform ?? process.platform),
    ...(await checkStoreFolder(store)),
    ...(await checkParts(input, probe?.kind === "silent" ? withoutVault : config.value)),
    ...(await checkServers(config.value, input.probeServer)),
    ...(await checkSchedules(input.schedules)),
  ];
}

async function checkStoreFolder(store: string): Promise<readonly Finding[]> {
  if (isUri(store)) return [];
  const probe = await probeFolder(store, PROBE_MS);
  switch (probe.kind) {
    case "fine":
      return [fine("store folder", `${store} can be read, written and synced`)];
    case "silent":
      return [broken("store folder", `${store} does not answer`, "Check the drive that it is on.")];
    case "failed":
      // Opening it says the same better where there is none.
      return probe.code === "ENOENT"
        ? []
        : [
            broken(
              "store folder",
              `${store}: ${probe.message}`,
              "Give this user write permission.",
            ),
          ];
  }
}

async function checkParts(input: DoctorInput, config: Config): Promise<readonly Finding[]> {
  const notes: string[] = [];
  const progress = notesInto(notes);
  const { asOf } = input;
  const options = { config, create: false, progress, ...(asOf === undefined ? {} : { asOf }) };
  const opened = await attempt(() => input.openParts({ ...options, mode: "write" }));
  if (!opened.ok) return [brokenBy(checkOf(opened.error), opened.error)];
  const parts = opened.value;
  try {
    const problems = await parts.store.verify();
    if (problems.length > 0) return problems.map((problem) => broken("store", problem, REPAIR));
    return [
      fine("store", `${parts.store.uri} opens for writing`),
      ...notes.map((note) => advise("store", note, "Nothing to do: it was seen to on opening.")),
      ...(await checkLeftovers(config)),
      ...(await checkStoreContents(parts)),
      await checkDates(parts),
      await checkTracker(parts),
      ...(await checkGit(config, parts.versionControl)),
    ];
  } finally {
    await parts.close();
  }
}

const REPAIR =
  "`slowwave doctor --repair` sets it aside and goes back to what can be read; or restore a backup.";

async function checkLeftovers(config: Config): Promise<readonly Finding[]> {
  const files = await findLeftovers(config);
  const aside = await listDamaged(config.store);
  return [
    ...(files.length === 0
      ? []
      : [
          advise(
            "leftovers",
            `${files.length} half files of a killed run, such as ${files[0]}`,
            "`slowwave doctor --repair` removes them.",
          ),
        ]),
    ...(aside.length === 0
      ? []
      : [
          advise(
            "damage",
            `what could not be read was set aside earlier: ${aside.join(", ")}`,
            "Delete the store's folder `damaged` once you have what you need from it, or from a backup.",
          ),
        ]),
  ];
}

function checkOf(error: unknown): string {
  return error instanceof SlowwaveError && error.code === "embedder" ? "embedder" : "store";
}

type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown };

async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error };
  }
}
