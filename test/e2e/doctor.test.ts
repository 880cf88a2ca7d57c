import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { createHome, spawnCli } from "./spawn-cli.ts";

interface Finding {
  readonly check: string;
  readonly ok: boolean;
}

test("doctor passes a fresh store and vault, and so does the check in a scheduler's environment", async () => {
  const home = await createHome();
  await spawnCli({ home }, "init", "--store", "memories", "--vault", "notes");
  spawnSync("git", ["init", "--quiet", `${home}/notes`]);
  const flags = ["--store", "memories", "--vault", "notes", "--json"];
  for (const command of [["doctor"], ["doctor", "--as-scheduler"]]) {
    const result = await spawnCli({ home }, ...command, ...flags);
    expect(result.json()).toMatchObject({ ok: true });
    expect(result.code).toBe(0);
    const checks = (result.json().findings as Finding[]).map(({ check }) => check);
    expect(checks).toEqual(expect.arrayContaining(["store folder", "store", "vault", "git"]));
  }
});

test("doctor as scheduler finds what only the shell knows", async () => {
  const home = await createHome();
  await spawnCli({ home }, "init");
  expect((await spawnCli({ home }, "doctor")).code).toBe(0);
  const bare = await spawnCli({ home }, "doctor", "--as-scheduler");
  // SLOWWAVE_HOME is set in the shell alone, so the scheduler looks for the store in another place.
  expect(bare.code).toBe(1);
  expect(bare.stdout).toContain("a scheduler does not see SLOWWAVE_HOME");
  expect(bare.stdout).toMatch(/BROKEN store: there is no store in /);
});
