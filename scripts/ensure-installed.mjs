// Makes `npm test` and `npm run demo` work on a fresh clone: installs what the lock file names, once.
// Plain JavaScript without imports from node_modules, since there may be none yet.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");

// npm writes this file last, so its presence says that an install went through.
const installed = path.join(root, "node_modules", ".package-lock.json");

if (!existsSync(installed) || !isUpToDate()) {
  process.stderr.write("slowwave: installing the packages of package-lock.json (npm ci)\n");
  const result = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (result.status !== 0) process.exitCode = result.status ?? 1;
}

function isUpToDate() {
  const wanted = packagesOf(path.join(root, "package-lock.json"));
  const have = packagesOf(installed);
  return Object.entries(wanted).every(
    ([name, entry]) => name === "" || entry.optional || have[name]?.version === entry.version,
  );
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}
