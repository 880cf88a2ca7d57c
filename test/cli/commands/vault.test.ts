import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openNoteVault } from "../../../src/adapters/obsidian/note-vault.ts";
import { createPromoteAgent } from "../../../src/agents/promote/create-promote-agent.ts";
import { aMemory } from "../../builders.ts";
import { quietFormat } from "../../note-formats.ts";
import { fill } from "../../scheduler/run-deps.ts";
import { createTestCli } from "../run-cli.ts";

const NOTE = "Memories/Semantic/Maria prefers green tea.md";

async function aPromotedNote() {
  const root = await mkdtemp(path.join(tmpdir(), "slowwave-cli-vault-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const cli = createTestCli({
    agents: () => [createPromoteAgent()],
    parts: ({ config }) => ({
      loadNoteFormat: async () => quietFormat,
      ...(config.vault === undefined ? {} : { vault: openNoteVault({ root: config.vault }) }),
    }),
  });
  await fill(cli.store, [aMemory()]);
  const run = (...argv: readonly string[]) => cli.run("--vault", root, ...argv);
  expect((await run("promote", "--force", "m1")).code).toBe(0);
  const note = path.join(root, NOTE);
  const edit = async (from: string, to: string) => {
    await writeFile(note, (await readFile(note, "utf8")).replace(from, to));
  };
  return { cli, root, run, edit };
}

test("vault sync takes an edit over, which vault check names before and not after", async () => {
  const { cli, run, edit } = await aPromotedNote();
  expect((await run("vault", "check")).stdout).toBe("1 notes looked at, all is well\n");
  await edit("pinned: false", "pinned: true");
  const check = await run("vault", "check", "--json");
  expect(check.code).toBe(1);
  expect(check.json()).toMatchObject({
    ok: false,
    checked: 1,
    problems: [{ path: NOTE, problem: "was edited (pinned); the next run takes that over" }],
  });
  const dry = await run("vault", "sync", "--dry-run");
  expect(dry.stdout).toContain("take edits: Take over from Memories/Semantic/Maria");
  expect((await cli.store.read("memory"))[0]?.pinned).toBe(false);
  expect((await run("vault", "sync")).code).toBe(0);
  expect((await cli.store.read("memory"))[0]?.pinned).toBe(true);
  expect((await run("vault", "check")).code).toBe(0);
  expect((await run("vault", "sync")).stdout).toContain("There was nothing to do.");
});

test("vault rebuild writes all notes into a new folder, and refuses one that holds anything", async () => {
  const { root, run } = await aPromotedNote();
  const out = path.join(root, "..", `${path.basename(root)}-new`);
  onTestFinished(() => rm(out, { recursive: true, force: true }));
  expect((await run("vault", "rebuild", "--out", out)).code).toBe(0);
  const files = await readdir(out, { recursive: true });
  expect(files.filter((file) => file.endsWith(".md"))).toEqual([path.normalize(NOTE)]);
  const again = await run("vault", "rebuild", "--out", out);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("expected an empty folder");
});

test("the vault commands say so where there is no vault", async () => {
  const { cli } = await aPromotedNote();
  for (const command of ["sync", "check"]) {
    const { code, stderr } = await cli.run("vault", command);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no vault"),
    });
  }
});
