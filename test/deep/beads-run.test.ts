import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, watch } from "node:fs";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { open } from "../../src/index.ts";
import { createHome, spawnCli } from "../e2e/spawn-cli.ts";
import { BD, createRealBeads, type RealBeads, SUITE } from "./real-beads.ts";

const NIGHT = "2026-04-13T03:00:00Z";

/** Two that are the same, two that a person has to read, one that fades. */
const MEMORIES = [
  ["copy-1", "The office door code is on the whiteboard in the kitchen.", "2026-04-12T10:00:00Z"],
  ["copy-2", "The office door code is on the whiteboard in the kitchen.", "2026-04-12T11:00:00Z"],
  ["a1", "The staging database runs PostgreSQL 15 on port 5433 and is backed up every night."],
  ["a2", "Staging database: PostgreSQL 15, port 5433, backed up nightly to the vault bucket."],
] as const;

interface Place {
  readonly home: string;
  readonly beads: RealBeads;
  readonly env: Readonly<Record<string, string>>;
}

async function aPlace(command = BD ?? "bd"): Promise<Place> {
  const home = await createHome();
  const beads = await createRealBeads();
  const env = {
    SLOWWAVE_TRACKER_KIND: "beads",
    SLOWWAVE_TRACKER_DIRECTORY: beads.project,
    SLOWWAVE_TRACKER_COMMAND: command,
  };
  const lines = MEMORIES.map(([id, content, at = "2026-02-20T10:00:00Z"]) =>
    JSON.stringify({ id, content, createdAt: at, created_at: at, last_used: at }),
  );
  const imported = await spawnCli({ home, stdin: `${lines.join("\n")}\n` }, "import", "-");
  expect(imported).toMatchObject({ code: 0, stderr: expect.any(String) });
  return { home, beads, env };
}

async function run({ home, env }: Place, ...flags: readonly string[]) {
  return await spawnCli({ home, env }, "run", "--json", "--as-of", NIGHT, ...flags);
}

interface ListedIssue {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly labels: readonly string[];
  readonly close_reason?: string;
}

function listed({ beads }: Place): readonly ListedIssue[] {
  return JSON.parse(beads.bd("list", "--all", "--limit", "0", "--json"));
}

function byAction(place: Place, word: RegExp): ListedIssue {
  const found = listed(place).filter(({ title }) => word.test(title));
  expect(found).toHaveLength(1);
  // One, as was just seen.
  return found[0] as ListedIssue;
}

describe.skipIf(BD === undefined)(SUITE, () => {
  test("a run drives its issues through beads, visible by bd list, and does what was approved there", async () => {
    const place = await aPlace();
    const dry = await run(place, "--dry-run");
    expect(dry.code).toBe(0);
    expect(listed(place)).toEqual([]);
    expect((await run(place)).code).toBe(0);
    expect(byAction(place, /copies|Merge 2.*door/i)).toMatchObject({ status: "closed" });
    const open = byAction(place, /staging/i);
    expect(open).toMatchObject({ status: "open" });
    expect(open.labels).toContain("consolidation:cluster");
    expect(listed(place).flatMap(({ labels }) => labels)).toContain("consolidation:decay");

    place.beads.bd("update", open.id, "--add-label", "approved");
    const second = await run(place);
    expect(second.code).toBe(0);
    expect(byAction(place, /staging/i)).toMatchObject({ status: "closed" });
    const counted = await spawnCli(place, "stats", "--json");
    expect(counted.json()).toMatchObject({ memories: { archived: 4 } });
    const before = place.beads.bd("export", "--all");
    expect((await run(place)).code).toBe(0);
    expect(place.beads.bd("export", "--all")).toBe(before);
  });

  test("a close by bd without the label declines, whatever its reason, and nothing is merged", async () => {
    const place = await aPlace();
    await run(place);
    const { id } = byAction(place, /staging/i);
    place.beads.bd("close", id, "--reason", "approved");
    for (const _night of [1, 2]) expect((await run(place)).code).toBe(0);
    expect(byAction(place, /staging/i)).toMatchObject({
      status: "closed",
      close_reason: "approved",
    });
    const shown = await spawnCli(place, "show", "a1", "--json");
    expect(shown.json()).toMatchObject({ memory: { status: "active" } });
  });

  test("killing the run between memory commit and tracker write leaves one issue, closed once, after the next run", async () => {
    const home = await createHome();
    const wrapper = path.join(home, "bd-that-hangs");
    // Reads like the real one; the first write never comes back.
    const script = `#!/bin/sh
if [ ! -e ${home}/go ]; then case "$*" in *import*) echo $$ > ${home}/hung; exec sleep 600 ;; esac; fi
exec ${BD} "$@"
`;
    await writeFile(wrapper, script);
    await chmod(wrapper, 0o755);
    const place = await aPlace(wrapper);
    await runAndKill(place, path.join(home, "hung"));
    expect(listed(place)).toEqual([]);
    await writeFile(path.join(home, "go"), "");
    const next = await run(place);
    expect(next.code).toBe(0);
    const { id, status } = byAction(place, /copies|Merge 2.*door/i);
    expect(status).toBe("closed");
    const comments = JSON.parse(place.beads.bd("comments", id, "--json"));
    const closings = comments.filter(({ text }: { text: string }) => text.startsWith("closed: "));
    expect(closings).toHaveLength(1);
    const counted = await spawnCli(place, "stats", "--json");
    expect(counted.json()).toMatchObject({ memories: { archived: 2 } });
  });

  test("of five parallel claimers, some by bd itself, exactly one wins", async () => {
    const place = await aPlace();
    await run(place);
    const { id } = byAction(place, /staging/i);
    const ours = [1, 2, 3].map(async (n) => {
      const claimed = await spawnCli(place, "issues", "claim", id, "--by", `worker-${n}`);
      return claimed.code === 0;
    });
    const theirs = ["bea", "cem"].map((name) => claimByBd(place, id, name));
    const won = await Promise.all([...ours, ...theirs]);
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(byAction(place, /staging/i)).toMatchObject({ status: "in_progress" });
  });

  test("deleting an issue by bd declines it", async () => {
    const place = await aPlace();
    await run(place);
    const { id } = byAction(place, /staging/i);
    place.beads.bd("delete", id, "--force");
    expect((await run(place)).code).toBe(0);
    const shown = await spawnCli(place, "show", "a1", "--json");
    expect(shown.json()).toMatchObject({ memory: { status: "active" } });
  });

  test("the library's helpers work on the issues in beads", async () => {
    const { project, bd } = await createRealBeads();
    const home = await createHome();
    const tracker = { kind: "beads", directory: project, command: BD ?? "bd" } as const;
    const sw = await open({ store: path.join(home, "store"), tracker });
    onTestFinished(() => sw.close());
    const finding = {
      agent: "decay",
      memoryIds: ["m1"],
      action: "review",
      urgency: "high",
    } as const;
    const id = await sw.issues.createConsolidationIssue(finding);
    expect(await sw.issues.createConsolidationIssue(finding)).toBe(id);
    const claims = await Promise.all([1, 2, 3, 4, 5].map(() => sw.issues.claimIssue(id)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    await sw.issues.blockIssue(id, "the model is away");
    expect(await sw.issues.queryConsolidationIssues({ status: "blocked" })).toMatchObject([{ id }]);
    await sw.issues.closeIssue(id, "done by hand");
    const [listed] = JSON.parse(bd("list", "--all", "--limit", "0", "--json"));
    expect(listed).toMatchObject({
      id,
      status: "closed",
      close_reason: "done by hand",
      priority: 1,
    });
  });

  test("a bd that is missing stops a run before it does anything, with how to install it", async () => {
    const place = await aPlace("bd-nowhere");
    const failed = await run(place);
    expect(failed.code).toBe(1);
    expect(failed.json()).toMatchObject({
      error: { code: "tracker", hint: expect.stringContaining("Install beads") },
    });
    const counted = await spawnCli({ home: place.home }, "stats", "--json");
    expect(counted.json()).toMatchObject({ memories: { active: 4, archived: 0 } });
  });
});

async function runAndKill(place: Place, hung: string): Promise<void> {
  const folder = path.dirname(hung);
  let child: ChildProcess | undefined;
  const watcher = watch(folder, () => {
    if (existsSync(hung)) child?.kill("SIGKILL");
  });
  await spawnCli(
    { ...place, onStart: (started) => (child = started) },
    ...["run", "--as-of", NIGHT],
  );
  watcher.close();
  process.kill(Number(await readFile(hung, "utf8")), "SIGKILL");
  await rm(hung);
}

function claimByBd({ beads }: Place, id: string, actor: string): Promise<boolean> {
  const env = { PATH: process.env.PATH, HOME: beads.project, BEADS_DIR: beads.folder };
  const child = spawn(BD ?? "bd", ["--actor", actor, "update", id, "--claim"], {
    cwd: beads.project,
    env,
    stdio: "ignore",
  });
  return new Promise((resolve) => child.on("close", (code) => resolve(code === 0)));
}
