import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createHome, spawnCli } from "./spawn-cli.ts";

test("a daemon makes up for a missed night, says so in its status file, and stops on SIGTERM", async () => {
  const home = await createHome();
  await spawnCli({ home }, "init");
  const file = path.join(home, "store.daemon.json");
  const status = async () => JSON.parse(await readFile(file, "utf8"));
  let waiting: Record<string, unknown> = {};
  const result = await spawnCli(
    {
      home,
      onStart: (child) => {
        // The line is written after the status file.
        child.stderr?.on("data", (text: Buffer) => {
          if (!text.includes("next at")) return;
          void status().then((found) => {
            waiting = found;
            child.kill("SIGTERM");
          });
        });
      },
    },
    ...["daemon", "--cron", "30 5 * * *", "--timezone", "Asia/Kathmandu", "--json"],
  );
  expect(result.code).toBe(0);
  expect(result.stderr).toMatch(/ run-\S+ completed: decay 0, .*; next at \S+T23:45:00\.000Z\n/);
  expect(result.json()).toMatchObject({ state: "stopped", completed: 1, failed: 0 });
  expect(waiting).toMatchObject({
    version: 1,
    state: "waiting",
    cron: "30 5 * * *",
    timezone: "Asia/Kathmandu",
    nextAt: expect.stringContaining("T23:45:00.000Z"),
    last: { kind: "completed", detail: expect.stringContaining("run-") },
  });
  expect(await status()).toMatchObject({ state: "stopped" });
  const { json } = await spawnCli({ home }, "runs", "--json");
  expect(json()).toMatchObject({ runs: [{ status: "completed" }] });
});

test.each([
  [["--cron", "61 4 * * *"], "61 is a invalid expression for minute"],
  [["--timezone", "Europe/Atlantis"], "expected a time zone"],
  [["--cron", "0 0 29 2 *", "--as-of", "2026-01-01"], "--as-of would stop the clock"],
])("daemon %j is refused", async (flags, message) => {
  const home = await createHome();
  const { code, stderr } = await spawnCli({ home }, "daemon", ...flags);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
