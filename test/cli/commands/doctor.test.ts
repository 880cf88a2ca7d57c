import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Finding } from "../../../src/api/doctor-finding.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import type { RecordPut } from "../../../src/ports/memory-store.ts";
import { createMachine } from "../../adapters/system-schedulers/a-machine.ts";
import { aJournalEntry, aMemory, anIssue, aRun, BUILT_AT } from "../../builders.ts";
import { aJob } from "../../contracts/schedule-installer.ts";
import { createTestCli } from "../run-cli.ts";

/** The command on a healthy machine, with what the store holds put in first. */
async function aDoctor(...held: readonly RecordPut[]) {
  const machine = await createMachine();
  const store = await mkdtemp(path.join(tmpdir(), "slowwave-doctor-"));
  onTestFinished(() => rm(store, { recursive: true, force: true }));
  const cli = createTestCli();
  await cli.store.commit(held);
  const check = async (...flags: readonly string[]) => {
    const words = ["doctor", "--store", store, "--json", ...flags];
    const result = await cli.runWith({ env: machine.env }, ...words);
    const findings = result.json().findings as readonly Finding[];
    const find = (name: string) => findings.filter((finding) => finding.check === name);
    return { ...result, findings, find };
  };
  return { machine, store, cli, check };
}

const put = <K extends RecordPut["record"]>(record: K, after: unknown) =>
  // The builders make each record's own type.
  ({ record, before: null, after }) as RecordPut;

test("doctor finds nothing broken where nothing is, and leaves no trace", async () => {
  const { machine, store, check } = await aDoctor(put("run", aRun()));
  await machine
    .installer("cron")
    .install(aJob({ node: process.execPath, script: import.meta.filename }));
  const { code, findings, json } = await check("--vault", machine.home);
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  expect(code).toBe(0);
  expect(json()).toMatchObject({ version: 1, ok: true });
  expect(findings.map(({ check: name }) => name)).toEqual([
    ...["node", "configuration", "disk", "vault", "store folder", "store", "embedder", "clock"],
    ...["runs", "unfinished work", "issues", "dates", "tracker", "git", "language model"],
    "schedule (cron)",
  ]);
  expect(await readdir(store)).toEqual([]);
  expect((await readdir(machine.home)).sort()).toEqual(["bin", "calls", "crontab"]);
});

test("doctor names a vault that is not there, with its fix, and ends with 1", async () => {
  const { check, machine } = await aDoctor();
  const { code, find } = await check("--vault", "/nonexistent/vault");
  expect(code).toBe(1);
  expect(find("vault")).toEqual([
    {
      check: "vault",
      ok: false,
      detail: "there is no folder /nonexistent/vault",
      fix: "Make it, mount its drive, or correct `vault`.",
    },
  ]);
  const { find: findBelow } = await check("--vault", `${machine.env.HOME}/calls/notes`);
  expect(findBelow("vault")).toMatchObject([
    { ok: false, fix: expect.stringContaining("permissions") },
  ]);
});

test("doctor without a vault says that promotion waits, which is nothing broken", async () => {
  const { check } = await aDoctor();
  const { code, find } = await check();
  expect(code).toBe(0);
  expect(find("vault")).toMatchObject([{ ok: true, fix: expect.any(String) }]);
  expect(find("runs")).toMatchObject([{ ok: true, detail: "none has completed yet" }]);
});

test("doctor sees a run dated in the future, and work that an ended run left unfinished", async () => {
  const ahead = aRun({ id: "run-2", startedAt: BUILT_AT + DAY_MS });
  const { check } = await aDoctor(
    put("run", aRun()),
    put("run", ahead),
    put("journal", aJournalEntry({ state: "prepared" })),
  );
  const { code, find } = await check();
  expect(code).toBe(1);
  expect(find("clock")).toMatchObject([{ ok: false }]);
  expect(find("unfinished work")).toMatchObject([
    { ok: false, fix: "`slowwave run` finishes it." },
  ]);
  expect((await check("--as-of", "2026-03-04")).find("clock")).toMatchObject([{ ok: true }]);
});

test("doctor calls runs broken that fail again and again, and notices nights that did not come", async () => {
  const failing = [1, 2, 3].map((day) =>
    put("run", aRun({ id: `run-${day}`, status: "failed", startedAt: BUILT_AT - day * DAY_MS })),
  );
  const broken = await (
    await aDoctor(put("run", aRun({ id: "run-9", startedAt: BUILT_AT - 9 * DAY_MS })), ...failing)
  ).check();
  expect(broken.find("runs")).toMatchObject([
    { ok: false, fix: "`slowwave runs show run-1` says why." },
  ]);
  const silent = await (
    await aDoctor(put("run", aRun({ startedAt: BUILT_AT - 9 * DAY_MS })))
  ).check();
  expect(silent.find("runs")).toMatchObject([
    { ok: true, fix: expect.stringContaining("schedule install") },
  ]);
});

test("doctor notices when ten runs in a row found nothing to do", async () => {
  const idle = Array.from({ length: 10 }, (_, hour) =>
    put("run", aRun({ id: `run-${hour}`, startedAt: BUILT_AT - hour * 3_600_000 })),
  );
  const { find } = await (await aDoctor(...idle)).check();
  expect(find("runs")).toMatchObject([
    { ok: true, detail: "the last 10 runs found nothing to do" },
  ]);
});

test("doctor counts waiting issues by age", async () => {
  const ages = [1, 20, 40].map((days, index) =>
    put(
      "issue",
      anIssue({ id: `sw-${index}`, fingerprint: `f${index}`, createdAt: BUILT_AT - days * DAY_MS }),
    ),
  );
  const { find } = await (await aDoctor(...ages)).check();
  expect(find("issues")).toMatchObject([
    {
      ok: true,
      detail:
        "3 wait: 1 up to a week old, 1 up to 30 days, 1 older; for a person medium 3; cluster 3; 2 older than 7 days",
    },
  ]);
});

test("doctor finds an installed job whose node is gone", async () => {
  const { machine, check } = await aDoctor();
  await machine.installer("cron").install(aJob({ script: import.meta.filename }));
  const { code, find } = await check();
  expect(code).toBe(1);
  expect(find("schedule (cron)")).toMatchObject([
    { ok: false, detail: expect.stringContaining("/opt/it's node/100%/node") },
  ]);
});

test("doctor reports a wrong configuration as a finding", async () => {
  const cli = createTestCli();
  const env = { SLOWWAVE_INTERVAL_HOURS: "often" };
  const { code, stdout } = await cli.runWith({ env }, "doctor");
  expect(code).toBe(1);
  expect(stdout).toContain("BROKEN configuration: ");
  expect(stdout).toContain("1 thing is broken");
  expect(cli.opened).toEqual([]);
});

test("doctor counts memories dated in the future, and names one", async () => {
  const ahead = aMemory({ id: "ahead", createdAt: BUILT_AT + 9 * DAY_MS });
  const { find } = await (await aDoctor(put("memory", ahead))).check();
  expect(find("dates")).toMatchObject([
    { ok: true, detail: expect.stringMatching(/^1 memory is dated .* \(ahead\)$/) },
  ]);
});
