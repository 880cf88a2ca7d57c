import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestCli } from "../run-cli.ts";

async function homeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-home-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("init makes the vault and keeps it in the configuration that later commands read", async () => {
  const home = await homeFolder();
  const env = { SLOWWAVE_HOME: home };
  const cli = createTestCli();
  const vault = path.join(home, "notes");
  const made = await cli.runWith({ env }, "init", "--vault", vault, "--json");
  expect(made.json()).toMatchObject({ vault, configWritten: true });
  expect((await stat(vault)).isDirectory()).toBe(true);
  expect(await readFile(path.join(home, "config.yaml"), "utf8")).toBe(`vault: ${vault}\n`);
  const shown = await cli.runWith({ env }, "config", "--json");
  expect(shown.json()).toMatchObject({ config: { vault } });
});

test("init never writes over a configuration file, nor for a store named by a flag", async () => {
  const home = await homeFolder();
  const env = { SLOWWAVE_HOME: home };
  const file = path.join(home, "config.yaml");
  const cli = createTestCli();
  const vault = path.join(home, "notes");
  const trial = await cli.runWith(
    { env },
    "init",
    "--vault",
    vault,
    "--store",
    path.join(home, "s"),
    "--json",
  );
  expect(trial.json()).toMatchObject({ configWritten: false });
  await writeFile(file, "rateLimit: 5\n");
  const again = await cli.runWith({ env }, "init", "--vault", vault, "--json");
  expect(again.json()).toMatchObject({ configWritten: false });
  expect(await readFile(file, "utf8")).toBe("rateLimit: 5\n");
});

test("init without a vault says that promotion waits", async () => {
  const { code, stdout } = await createTestCli().run("init", "--store", "/tmp/anywhere");
  expect(code).toBe(0);
  expect(stdout).toContain("promotion waits");
});
