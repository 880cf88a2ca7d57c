import { expect, test } from "vitest";
import { createHome, spawnCli } from "./spawn-cli.ts";

test("two processes that remember the same text make one memory", async () => {
  const home = await createHome();
  await spawnCli({ home }, "init");
  const results = await Promise.all(
    [1, 2, 3].map(() => spawnCli({ home }, "remember", "The kettle is blue.", "--json")),
  );
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(results.filter(({ json }) => json().outcome === "added")).toHaveLength(1);
  const { json } = await spawnCli({ home }, "list", "--json");
  expect(json()).toMatchObject({ total: 1, memories: [{ useCount: 2 }] });
});

test("Ctrl-C while waiting for standard input ends with 130 and stores nothing", async () => {
  const home = await createHome();
  await spawnCli({ home }, "init");
  const result = await spawnCli(
    {
      home,
      // Standard input stays open. More than a pipe holds is written, so that the last of it leaves only once the process reads.
      onStart: (child) =>
        child.stdin?.write("half a thought ".repeat(70_000), () => child.kill("SIGINT")),
    },
    ...["remember", "-"],
  );
  expect(result).toMatchObject({ code: 130, stdout: "" });
  expect(result.stderr).toContain("stopped by SIGINT");
  expect((await spawnCli({ home }, "list", "--json")).json()).toMatchObject({ total: 0 });
});

test("the flow of a first day: init, remember, run dry and live, runs", async () => {
  const home = await createHome();
  await spawnCli({ home }, "init", "--vault", "notes");
  for (const text of ["The kettle is blue.", "Ada drinks green tea.", "Ada drinks green tea!"]) {
    await spawnCli({ home }, "remember", text);
  }
  const dry = await spawnCli({ home }, "run", "--dry-run", "--json");
  expect(dry.json()).toMatchObject({ run: { dryRun: true, status: "completed" } });
  const live = await spawnCli({ home }, "run", "--scheduled", "--json");
  expect(live.json()).toMatchObject({ run: { dryRun: false, status: "completed" } });
  expect(Object.keys(live.json().agents as object)).toEqual([
    ...["decay", "cluster", "merge", "promote", "relations"],
  ]);
  const again = await spawnCli({ home }, "run", "--scheduled", "--quiet");
  expect(again).toMatchObject({ code: 0, stdout: "", stderr: "" });
  const runs = await spawnCli({ home }, "runs", "--json");
  expect(runs.json()).toMatchObject({ runs: [{ dryRun: false, status: "completed" }] });
});
