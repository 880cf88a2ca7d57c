// Compiles src/ into dist/: removes the old output first, so that no deleted module stays importable.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");

rmSync(path.join(root, "dist"), { recursive: true, force: true });
const result = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: ["ignore", 2, 2],
});
process.exitCode = result.status ?? 1;
