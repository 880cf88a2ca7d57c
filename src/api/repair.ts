import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config/config.ts";
import { isUri } from "../config/paths.ts";
import { acquireRunLease } from "../scheduler/lease.ts";
import { recover } from "../scheduler/recover.ts";
import type { Parts } from "../wire.ts";
import type { DoctorInput } from "./doctor.ts";
import { advise, brokenBy, type Finding, fine, notesInto } from "./doctor-finding.ts";
import { runDepsOf } from "./run-deps-of.ts";

/**
 * Sets aside what of the store cannot be read, finishes what a killed run left half done, and removes its temporary files. Only what is
 * damaged is touched, and nothing of it deleted.
 */
export async function repair(input: DoctorInput): Promise<readonly Finding[]> {
  const notes: string[] = [];
  const progress = notesInto(notes);
  try {
    const config = await input.loadConfig();
    const options = { config, create: false, progress, mode: "write", repair: true } as const;
    const parts = await input.openParts(options);
    try {
      const aside = notes.map((note) => advise("repair", note, SET_ASIDE));
      return [...aside, ...(await finishWork(parts)), ...(await removeLeftovers(config))];
    } finally {
      await parts.close();
    }
  } catch (error) {
    return [...notes.map((note) => advise("repair", note, SET_ASIDE)), brokenBy("repair", error)];
  }
}

const SET_ASIDE =
  "What was set aside is kept in the store's folder `damaged`; see whether a backup has what is lost.";

async function finishWork(parts: Parts): Promise<readonly Finding[]> {
  const { lease } = await acquireRunLease(parts.store, parts.system);
  await using _held = lease;
  const done = await recover(runDepsOf(parts));
  return done.length === 0
    ? [fine("repair", "no run was left half done")]
    : done.map((note) => fine("repair", note));
}

async function removeLeftovers({ store, vault }: Config): Promise<readonly Finding[]> {
  const files = await findLeftovers({ store, vault });
  for (const file of files) await rm(file, { force: true });
  return files.map((file) => fine("repair", `removed ${file}, half a file of a killed run`));
}

/** Temporary files that a kill left: each is replaced by its whole before it counts, so nothing is in them alone. */
export async function findLeftovers(places: {
  readonly store: string;
  readonly vault?: string | undefined;
}): Promise<readonly string[]> {
  const { store, vault } = places;
  const inStore = isUri(store) ? [] : await listFiles(store, false);
  const inVault = vault === undefined ? [] : await listFiles(vault, true);
  return [
    ...inStore.filter((file) => /^durable\.json\.[0-9a-f-]+$/.test(path.basename(file))),
    ...inVault.filter((file) => /^\..*\.slowwave-tmp-[0-9a-f]+$/.test(path.basename(file))),
  ];
}

/** What earlier openings and repairs set aside. */
export async function listDamaged(store: string): Promise<readonly string[]> {
  if (isUri(store)) return [];
  try {
    return (await readdir(path.join(store, "damaged"))).sort();
  } catch {
    // None, or told by its own check as above.
    return [];
  }
}

async function listFiles(folder: string, recursive: boolean): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name));
  } catch {
    // What keeps a folder from being read is told by its own check.
    return [];
  }
}
