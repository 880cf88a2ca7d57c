// Makes vault/ anew: the sample vault is what the demo produces, and a test holds it to that.
// The demo plays in a temporary folder, as a vault inside this repository would be committed to it.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(tmpdir(), "slowwave-sample-"));
const played = spawnSync(
  process.execPath,
  [path.join(root, "bin", "slowwave.js"), "demo", "--dir", folder, "--quiet"],
  { stdio: ["ignore", "ignore", "inherit"] },
);
if (played.status === 0) {
  rmSync(path.join(root, "vault"), { recursive: true, force: true });
  cpSync(path.join(folder, "vault"), path.join(root, "vault"), { recursive: true });
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = played.status ?? 1;
