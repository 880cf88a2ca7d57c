import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createHome, spawnCli } from "./spawn-cli.ts";

const SRC = path.resolve(import.meta.dirname, "../../src");

/** A process that takes the run lease of a store and keeps it until it is killed. */
const HOLDER = `
const [src, store] = process.argv.slice(1);
const { openParts } = await import(src + "/wire.ts");
const { loadConfig } = await import(src + "/config/load-config.ts");
const { acquireRunLease } = await import(src + "/scheduler/lease.ts");
const parts = await openParts({ config: await loadConfig({ env: {}, flags: { store } }) });
await acquireRunLease(parts.store, parts.system);
process.stdout.write("held");
setInterval(() => undefined, 1000);
`;

test("a second run ends at once with 3, and takes over when the holder was killed", async () => {
  const home = await createHome();
  await spawnCli({ home }, "init");
  const args = [
    "--import",
    "tsx",
    "--input-type=module",
    "-e",
    HOLDER,
    SRC,
    path.join(home, "store"),
  ];
  const holder = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void holder.kill("SIGKILL"));
  expect(String((await once(holder.stdout, "data"))[0])).toBe("held");

  const refused = await spawnCli({ home }, "run", "--json");
  expect(refused.code).toBe(3);
  expect(refused.json()).toMatchObject({ error: { code: "busy" } });

  holder.kill("SIGKILL");
  await once(holder, "exit");
  const taken = await spawnCli({ home }, "run", "--json");
  expect(taken.code).toBe(0);
  expect(JSON.stringify(taken.json())).toMatch(/lease: taken over .*its process has died/);
  const [run] = (await spawnCli({ home }, "runs", "--json")).json().runs as { id: string }[];
  expect((await spawnCli({ home }, "runs", "show", run?.id ?? "")).stdout).toMatch(
    /note: lease: taken over/,
  );
  expect((await spawnCli({ home }, "run")).code).toBe(0);
});
