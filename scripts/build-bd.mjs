// Builds the `bd` of beads that the tests are held to, once, into a cache outside of the project, and prints where it is.
//   node scripts/build-bd.mjs          the cached one, or builds it (minutes; needs Go and a C compiler)
//   node scripts/build-bd.mjs --path   where it is or would be; exit 1 where it is not
// `go install …@version` asks the proxy for a list of versions, which not every proxy gives; downloading one named version needs none.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

const MODULE = "github.com/steveyegge/beads";
const VERSION = "1.0.5";
/** Of the module's source, as go.sum would name it; the sums of all it needs stand in its own go.sum. */
const SUM = "h1:QTq03ptLLYIuTuDEqcRX45fz9/QfNAGOTUWUG90dDpI=";

const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), ".cache");
const binary = path.join(cache, "slowwave-tools", `bd-${VERSION}`, "bd");

try {
  const isThere = works(binary);
  if (!isThere && !process.argv.includes("--path")) build();
  console.log(binary);
  process.exitCode = isThere || !process.argv.includes("--path") ? 0 : 1;
} catch (error) {
  console.error(`build-bd: ${error.message}`);
  process.exitCode = 1;
}

function build() {
  const folder = mkdtempSync(path.join(tmpdir(), "build-bd-"));
  try {
    const downloaded = JSON.parse(
      go(["mod", "download", "-json", `${MODULE}@v${VERSION}`], folder),
    );
    if (downloaded.Sum !== SUM)
      fail(`${MODULE}@v${VERSION} has the sum ${downloaded.Sum}, expected ${SUM}`);
    const source = path.join(folder, "source");
    // The module cache is read-only, and a build wants to stand in the main module.
    cpSync(downloaded.Dir, source, { recursive: true });
    const built = path.join(folder, "bd");
    // Without ICU, which not every machine has.
    go(["build", "-tags=gms_pure_go", "-o", built, "./cmd/bd"], source);
    if (!works(built)) fail(`what was built does not answer as bd ${VERSION}`);
    const target = path.dirname(binary);
    mkdirSync(target, { recursive: true });
    // Copied beside its place and renamed, so that nobody ever finds half of it.
    cpSync(built, `${binary}.${process.pid}`);
    renameSync(`${binary}.${process.pid}`, binary);
  } finally {
    spawnSync("chmod", ["-R", "u+w", folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

function go(args, cwd) {
  const env = { ...process.env, CGO_ENABLED: "1", GOFLAGS: "", GOWORK: "off" };
  const result = spawnSync("go", args, { cwd, env, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (result.error) fail(`Go cannot be run: ${result.error.message}`);
  if (result.status !== 0) fail(`go ${args[0]}: ${result.stderr || result.stdout}`);
  return result.stdout;
}

function works(file) {
  const result = spawnSync(file, ["version"], {
    encoding: "utf8",
    env: { ...process.env, BD_NON_INTERACTIVE: "1" },
  });
  return result.status === 0 && result.stdout.includes(VERSION);
}

function fail(why) {
  throw new Error(why);
}
