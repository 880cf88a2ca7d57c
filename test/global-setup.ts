import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "..");
const BUILT = path.join(ROOT, "dist", "cli", "main.js");
const BUNDLER = path.join(ROOT, "scripts", "bundle.mjs");

/** Tests under test/e2e run the built command line: built once, before any test, when a source is newer than what is there. */
export function setup(): void {
  if (existsSync(BUILT) && statSync(BUILT).mtimeMs > newestSource()) return;
  rmSync(path.join(ROOT, "dist"), { recursive: true, force: true });
  // Types are checked elsewhere: what matters here is that there is something to run.
  const built = spawnSync(process.execPath, [BUNDLER], { cwd: ROOT, encoding: "utf8" });
  if (!existsSync(BUILT)) throw new Error(`the build failed:\n${built.stdout}${built.stderr}`);
}

function newestSource(): number {
  const src = path.join(ROOT, "src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" });
  const times = files.map((file) => statSync(path.join(src, file)).mtimeMs);
  return times.reduce((newest, time) => Math.max(newest, time), statSync(BUNDLER).mtimeMs);
}
