import { spawnSync } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { createBeadsTracker } from "../../src/adapters/issues-beads/create-beads-tracker.ts";
import { createLock } from "../../src/adapters/lance/lock.ts";

/** A real `bd`: BD_PATH, else the one that `npm run build:bd` made, else one on the PATH. Without any, these tests are skipped. */
export const BD = process.env.BD_PATH ?? cachedBd() ?? installedBd();

export const SUITE =
  BD === undefined ? "skipped, as there is no bd: npm run build:bd" : "with a real bd";

function installedBd(): string | undefined {
  const { status, stdout } = spawnSync("bd", ["version"], { encoding: "utf8" });
  return status === 0 && /^bd version 1\./.test(stdout) ? "bd" : undefined;
}

function cachedBd(): string | undefined {
  const script = path.resolve(import.meta.dirname, "../../scripts/build-bd.mjs");
  const { status, stdout } = spawnSync(process.execPath, [script, "--path"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

export interface RealBeads {
  /** A project; its `.beads` is the database. */
  readonly project: string;
  readonly folder: string;
  /** As a person would at their own terminal. Gives the standard output. */
  bd(...args: readonly string[]): string;
}

/** A fresh, empty database of its own. Making one takes seconds, so it is made once and copied. */
export async function createRealBeads(): Promise<RealBeads> {
  template ??= makeTemplate();
  const project = await newFolder();
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  const folder = path.join(project, ".beads");
  await cp(path.join(await template, ".beads"), folder, { recursive: true });
  return { project, folder, bd: (...args) => runBd(project, ["--actor", "ada", ...args]) };
}

let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const project = await newFolder();
  process.once("exit", () => spawnSync("rm", ["-rf", project]));
  const quiet = ["-q", "--skip-hooks", "--skip-agents", "--role", "maintainer"];
  runBd(project, ["init", "-p", "cons", ...quiet]);
  return project;
}

function newFolder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), "slowwave-beads-"));
}

function runBd(project: string, args: readonly string[]): string {
  const env = {
    ...{ PATH: process.env.PATH, HOME: project, BEADS_DIR: path.join(project, ".beads") },
    ...{ BD_NON_INTERACTIVE: "1", BD_DISABLE_METRICS: "1", DO_NOT_TRACK: "1", NO_COLOR: "1" },
  };
  const result = spawnSync(BD ?? "bd", args, {
    ...{ cwd: project, env, encoding: "utf8", timeout: 300_000, maxBuffer: 2 ** 26 },
  });
  const { status, stdout, stderr } = result;
  expect({ args, status, said: status === 0 ? "" : stderr + stdout }).toMatchObject({ status: 0 });
  return stdout;
}

/** The adapter as the composition root builds it; `as` tells processes apart. */
export function aTracker(beads: RealBeads, as = "one", command = BD ?? "bd") {
  const lock = createLock(path.join(beads.project, "tracker.lock"), 0);
  return createBeadsTracker({
    command,
    folder: beads.folder,
    storeId: "store-1",
    actor: `slowwave#${as}`,
    env: { PATH: process.env.PATH, HOME: beads.project },
    exclusive: (work) => lock.runAlone(work),
  });
}
