// Makes dist/: declarations by the compiler, code by the bundler. Removes the old output first, so that no deleted module stays importable.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");

rmSync(path.join(root, "dist"), { recursive: true, force: true });
for (const args of [[tsc, "-p", "tsconfig.build.json"], [path.join(root, "scripts/bundle.mjs")]]) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
