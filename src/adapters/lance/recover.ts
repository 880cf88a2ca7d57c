import { rename } from "node:fs/promises";
import { SlowwaveError } from "../../model/errors.ts";
import type { DurableMarker, TableVersions } from "./durable.ts";
import type { Engine } from "./engine.ts";
import { countRows, type Damage, dropIndexes, findDamage } from "./find-damage.ts";
import { RECORDS, USES } from "./schema.ts";
import {
  keepFiles,
  listVersions,
  type MovedVersion,
  setTableAside,
  setVersionAside,
} from "./set-aside.ts";

interface Recovery {
  readonly engine: Engine;
  readonly folder: string;
  readonly bootId: string;
  readonly marker: DurableMarker | undefined;
  /** A person asked for it: then any version is good enough, rather than none. */
  readonly repair: boolean;
  readonly onNote: (note: string) => void;
}

/**
 * Before a store is written to again after the machine went down: its newest version is read, and what cannot be read is set aside, so that
 * nothing is built on it. That never goes further back than one commit that was known to be safe; `repair` does. `safe` is false where
 * `latest` is not known to be on the disk yet.
 */
export async function recoverStore(
  recovery: Recovery,
): Promise<{ readonly latest: TableVersions; readonly safe: boolean }> {
  const { folder, marker, bootId, repair } = recovery;
  const found = await latestVersions(folder);
  if (marker?.bootId === bootId && !repair) {
    const isSafe = TABLES.every((name) => found[name] <= marker.versions[name]);
    return { latest: found, safe: isSafe };
  }
  if (found[RECORDS] === 0 && (marker?.versions[RECORDS] ?? 0) > 0) {
    throw beyondRepair(recovery, RECORDS, { kind: "rows", cause: new Error("it has no version") });
  }
  // One table after the other: both may have something to set aside.
  for (const name of TABLES) if (found[name] > 0) await recoverTable(recovery, name);
  return { latest: await latestVersions(folder), safe: false };
}

const TABLES = [RECORDS, USES] as const;

async function latestVersions(folder: string): Promise<TableVersions> {
  const latest = async (name: string) => (await listVersions(folder, name))[0]?.version ?? 0;
  return { [RECORDS]: await latest(RECORDS), [USES]: await latest(USES) };
}

async function recoverTable(recovery: Recovery, name: keyof TableVersions): Promise<void> {
  const { engine, folder, onNote } = recovery;
  const first = await findDamage(engine, folder, name);
  if (first === undefined) return;
  if (first.kind === "index") {
    await dropIndexes(engine, folder, name);
    onNote(`The index of table ${name} was damaged, and is made again. Nothing is lost.`);
    return;
  }
  const counted = await countRows(engine, folder, name);
  const { moved, damage } = await goBack(recovery, name, first);
  if (damage === undefined) {
    const kept = await keepFiles(folder, name);
    tellVersions(recovery, name, { moved, kept });
    if (moved.some(({ version }) => version <= safeVersion(recovery, name))) {
      await tellRows(recovery, name, counted);
    }
    return;
  }
  for (const { from, to } of moved) await rename(to, from);
  if (name === USES && recovery.repair) {
    const aside = await setTableAside(folder, name);
    onNote(
      `No version of the table of uses could be read: it was set aside as ${aside}, and begins anew. When memories were used until now is lost; the memories are not.`,
    );
    return;
  }
  throw beyondRepair(recovery, name, damage);
}

interface GoneBack {
  readonly moved: readonly MovedVersion[];
  /** What still is in the way at the oldest version that may be gone back to. */
  readonly damage: Damage | undefined;
}

async function goBack(
  recovery: Recovery,
  name: keyof TableVersions,
  first: Damage,
): Promise<GoneBack> {
  const { engine, folder, repair } = recovery;
  const oldest = repair ? 0 : safeVersion(recovery, name) - 1;
  const moved: MovedVersion[] = [];
  let damage: Damage | undefined = first;
  for (const one of await listVersions(folder, name)) {
    if (damage === undefined || one.version <= oldest) break;
    moved.push(await setVersionAside(folder, name, one));
    damage = await findDamage(engine, folder, name);
    if (damage?.kind === "index") damage = undefined;
  }
  return { moved, damage };
}

function safeVersion({ marker }: Recovery, name: keyof TableVersions): number {
  return marker?.versions[name] ?? 0;
}

function tellVersions(
  recovery: Recovery,
  name: keyof TableVersions,
  what: { readonly moved: readonly MovedVersion[]; readonly kept: string },
): void {
  const safe = safeVersion(recovery, name);
  for (const { version } of what.moved) {
    recovery.onNote(
      version > safe
        ? `Version ${version} of table ${name} was cut short when the machine went down, and was set aside (${what.kept}). Nothing that was reported as saved is lost.`
        : `Version ${version} of table ${name} cannot be read, although it was safe on the disk once: it was set aside (${what.kept}). What it added is lost, unless a backup has it.`,
    );
  }
}

async function tellRows(
  { engine, folder, onNote }: Recovery,
  name: keyof TableVersions,
  counted: number | undefined,
): Promise<void> {
  const left = await countRows(engine, folder, name);
  if (counted === undefined || left === undefined || counted === left) return;
  onNote(`Table ${name} counted ${counted} rows before, and has ${left} now.`);
}

function beyondRepair(
  { folder, repair }: Recovery,
  name: string,
  { cause }: Damage,
): SlowwaveError {
  return new SlowwaveError("store_damaged", `table ${name} of the store ${folder} is damaged`, {
    cause,
    hint: repair
      ? "No version of it can be read. Restore a backup with `slowwave restore-backup` into a new store."
      : "This is no power cut, so it is left as it is: `slowwave doctor --repair` goes back to the newest version that can be read, or restore a backup.",
  });
}
