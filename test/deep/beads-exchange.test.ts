import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fromBeadsLine, toBeadsLine } from "../../src/ports/beads-line.ts";
import { anIssue, BUILT_AT } from "../builders.ts";

/** A real `bd` 1.0.5: CGO_ENABLED=1 go build -tags=gms_pure_go ./cmd/bd in a checkout of beads. */
const BD = process.env.BD_PATH;

async function createBeads(bd: string) {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-beads-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const run = (...args: readonly string[]) => {
    const env = {
      ...{ PATH: process.env.PATH, HOME: folder, BEADS_DIR: path.join(folder, ".beads") },
      ...{ BD_NON_INTERACTIVE: "1", BD_DISABLE_METRICS: "1", DO_NOT_TRACK: "1", NO_COLOR: "1" },
    };
    const { status, stdout, stderr } = spawnSync(bd, ["--actor", "ada", ...args], {
      cwd: folder,
      env,
      encoding: "utf8",
      timeout: 300_000,
    });
    expect({ args, status, stderr: status === 0 ? "" : stderr + stdout }).toMatchObject({
      status: 0,
    });
  };
  run("init", "-p", "cons", "-q", "--skip-hooks", "--skip-agents", "--role", "maintainer");
  const file = path.join(folder, "exchange.jsonl");
  return {
    run,
    take: async (lines: readonly string[]) => {
      await writeFile(file, lines.map((line) => `${line}\n`).join(""));
      run("import", file);
    },
    give: async () => {
      run("export", "--all", "-o", file);
      return (await readFile(file, "utf8")).trimEnd().split("\n");
    },
  };
}

test.skipIf(BD === undefined)("issues come back from a real bd as they were", async () => {
  const beads = await createBeads(BD ?? "");
  const issues = [
    anIssue({ title: 'two "memories", 漢字 🤔\\n', comments: [comment("hm"), comment("ok")] }),
    anIssue({ id: "sw-2", status: "closed", closedAt: BUILT_AT + 1, closedBy: "person:ada" }),
    anIssue({ id: "sw-3", status: "in_progress", claimedBy: "agent:merge", leaseUntil: 5 }),
    anIssue({ id: "sw-4", status: "blocked", labels: ["a b", "c,d", "approved"], priority: 0 }),
  ];
  await beads.take(issues.map(toBeadsLine));
  const back = (await beads.give()).map((line) => fromBeadsLine(line));
  for (const one of back) expect(one?.change(one.record)).toBe(one?.record);
  const records = back.flatMap((one) => one?.record ?? []);
  expect(records.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(issues);
});

test.skipIf(BD === undefined)(
  "a label, a comment and a close given in a real bd arrive",
  async () => {
    const beads = await createBeads(BD ?? "");
    const issues = ["sw-1", "sw-2"].map((id) => anIssue({ id, updatedAt: BUILT_AT + 999 }));
    await beads.take(issues.map(toBeadsLine));
    beads.run("update", "sw-1", "--add-label", "approved");
    beads.run("comments", "add", "sw-1", "Looks right");
    beads.run("close", "sw-2", "--reason", "both are right");
    const byId = new Map(
      (await beads.give()).flatMap((line) => {
        const back = fromBeadsLine(line);
        return back ? [[back.record.id, back.change(back.record)] as const] : [];
      }),
    );
    expect(byId.get("sw-1")?.labels).toContain("approved");
    expect(byId.get("sw-1")?.comments.map(({ text }) => text)).toEqual([
      "Looks right",
      "in beads: +approved",
    ]);
    expect(byId.get("sw-2")).toMatchObject({
      status: "closed",
      closeReason: "both are right",
      closedBy: "person:beads",
    });
  },
);

function comment(text: string) {
  return { author: "person:ada", at: BUILT_AT + 1234, text };
}
