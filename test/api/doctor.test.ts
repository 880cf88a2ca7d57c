import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryTracker } from "../../src/adapters/memory/memory-tracker.ts";
import { diagnose } from "../../src/api/doctor.ts";
import { checkGit, checkNode, checkVault } from "../../src/api/doctor-places.ts";
import { probeFolder, probeWith } from "../../src/api/doctor-probes.ts";
import { checkServers, checkTracker } from "../../src/api/doctor-servers.ts";
import type { Config } from "../../src/config/config.ts";
import { type ConfigFlags, loadConfig } from "../../src/config/load-config.ts";
import { SlowwaveError } from "../../src/model/errors.ts";
import type { RepositoryState, VersionControl } from "../../src/ports/version-control.ts";

async function aConfig(flags: ConfigFlags = {}): Promise<Config> {
  const places = { store: "/nonexistent/store", vault: "/nonexistent/vault" };
  return await loadConfig({ env: { HOME: "/nonexistent" }, flags: { ...places, ...flags } });
}

test.each([
  ["18.20.4", false],
  ["20.18.9", false],
  ["20.19.0", true],
  ["24.1.0", true],
])("Node %s is enough: %s", (version, ok) => {
  expect(checkNode(version).ok).toBe(ok);
});

test("a folder probe writes and removes a file, and gives the system's reason where it cannot", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-probe-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  expect(await probeFolder(folder, 30_000)).toEqual({ kind: "fine" });
  expect(await readdir(folder)).toEqual([]);
  expect(await probeFolder(path.join(folder, "none"), 30_000)).toMatchObject({
    kind: "failed",
    code: "ENOENT",
  });
});

test("a folder that never answers is given up, and its fix names the permission on macOS", async () => {
  const probe = await probeWith("setInterval(() => undefined, 1000)", "/", 20);
  expect(probe).toEqual({ kind: "silent", afterMs: 20 });
  expect(checkVault("/Users/ada/Documents/notes", probe, "darwin")).toMatchObject({
    ok: false,
    fix: expect.stringContaining("Full Disk Access"),
  });
});

test("a vault that macOS guards gets advice also where it can be written now", () => {
  const fine = { kind: "fine" } as const;
  expect(checkVault("/Users/ada/Documents", fine, "darwin").fix).toContain("Full Disk Access");
  expect(checkVault("/Users/ada/notes", fine, "darwin").fix).toBeNull();
  expect(checkVault("/home/ada/Documents", fine, "linux").fix).toBeNull();
});

test.each<[RepositoryState, boolean]>([
  [{ kind: "none" }, true],
  [{ kind: "occupied", reason: "a merge is in progress" }, false],
])("git in the state %j is fine: %s", async (state, ok) => {
  const versionControl = { state: async () => state } as VersionControl;
  expect(await checkGit(await aConfig(), versionControl)).toMatchObject([
    { ok, fix: expect.any(String) },
  ]);
});

test("git that cannot be asked is broken, with its hint", async () => {
  const versionControl: Pick<VersionControl, "state"> = {
    state: async () => {
      throw new SlowwaveError("git", "git: not installed", { hint: "Install it." });
    },
  };
  expect(await checkGit(await aConfig(), versionControl as VersionControl)).toEqual([
    { check: "git", ok: false, detail: "git: not installed", fix: "Install it." },
  ]);
});

test("the identity that commits will carry is named", async () => {
  const config = await aConfig({
    git: { enabled: true, name: "Ada", email: "ada@example.org", sign: false, push: false },
  });
  const versionControl = { state: async () => ({ kind: "ready" }) } as VersionControl;
  expect((await checkGit(config, versionControl))[1]?.detail).toBe(
    "commits as Ada <ada@example.org>",
  );
});

test.each([
  ["store_damaged", "store"],
  ["embedder", "embedder"],
] as const)("a failure %s on opening is a finding about the %s", async (code, check) => {
  const findings = await diagnose({
    loadConfig: () => aConfig(),
    openParts: async () => {
      throw new SlowwaveError(code, "it is broken", { hint: "Mend it." });
    },
    schedules: [],
    probeServer: async () => ({ kind: "ready" }),
  });
  expect(findings).toContainEqual({ check, ok: false, detail: "it is broken", fix: "Mend it." });
});

test("a bug is not passed off as a finding", async () => {
  const openParts = async () => {
    throw new TypeError("undefined is not a function");
  };
  const probeServer = async () => ({ kind: "ready" }) as const;
  const input = { loadConfig: () => aConfig(), openParts, schedules: [], probeServer };
  await expect(diagnose(input)).rejects.toThrow(TypeError);
});

test.each([
  [{ kind: "ready" }, true, "has small", null],
  [{ kind: "unlisted" }, true, "does not tell", "first run"],
  [{ kind: "no_model", known: ["a", "b"] }, false, "no small", "It has a, b: set LLM_MODEL"],
  [{ kind: "key_refused", status: 401 }, false, "refuses the key (401)", "LLM_API_KEY"],
  [{ kind: "failing", status: 503 }, false, "answers 503", "log"],
  [{ kind: "slow" }, false, "within 10 s", "Start the server"],
  [{ kind: "unreachable", reason: "ECONNREFUSED" }, false, "ECONNREFUSED", "LLM_ENDPOINT"],
] as const)(
  "a language model whose server is %j is a finding with its fix",
  async (state, ok, detail, fix) => {
    const env = { LLM_ENDPOINT: "http://localhost:9/v1", LLM_MODEL: "small", LLM_API_KEY: "hush" };
    const config = await loadConfig({ env, flags: { store: "/nonexistent/store" } });
    const [finding, ...others] = await checkServers(config, async () => state);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ check: "language model", ok });
    expect(finding?.detail).toContain(detail);
    if (fix === null) expect(finding?.fix).toBeNull();
    else expect(finding?.fix).toContain(fix);
    expect(JSON.stringify(finding)).not.toContain("hush");
  },
);

test("a tracker that cannot be read is broken, with its hint", async () => {
  const mirror = {
    readAll: async () => {
      throw new SlowwaveError("tracker", "bd is not there", { hint: "Install beads." });
    },
    writeAll: async () => undefined,
  };
  const cli = createMemoryTracker();
  const finding = await checkTracker({ tracker: { ...cli, kind: "beads" }, mirror });
  expect(finding).toMatchObject({ ok: false, detail: "bd is not there", fix: "Install beads." });
});
