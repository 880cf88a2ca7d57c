import { spawnSync } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createHome } from "./spawn-cli.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

function run(command: string, args: readonly string[], cwd: string): string {
  const result = spawnSync(command, args, { cwd, encoding: "utf8" });
  expect(result.stderr + (result.error?.message ?? "")).not.toContain("Error");
  expect(result.status).toBe(0);
  return result.stdout;
}

test("the packed package runs its demo in an empty folder, assets and all", async () => {
  const home = await createHome();
  // Scripts off: the build that the tests use is what is packed.
  const packed = run(
    "npm",
    ["pack", "--ignore-scripts", "--json", "--pack-destination", home],
    ROOT,
  );
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  const installed = path.join(home, "node_modules", "slowwave");
  await mkdir(installed, { recursive: true });
  run("tar", ["xzf", filename, "--strip-components=1", "-C", installed], home);
  // Its dependencies as an install would put them; only the package itself must stand alone.
  await symlink(path.join(ROOT, "node_modules"), path.join(installed, "node_modules"));
  const { bin } = JSON.parse(await readFile(path.join(installed, "package.json"), "utf8")) as {
    bin: { slowwave: string };
  };
  const report = run(
    process.execPath,
    [path.join(installed, bin.slowwave), "demo", "--quiet"],
    home,
  );
  expect(report).toContain("The live run did what the dry run had shown, step for step.");
});
