import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ConfigSources, configFileOf, loadConfig } from "../../src/config/load-config.ts";
import { SlowwaveError } from "../../src/model/errors.ts";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-config-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function errorOf(sources: ConfigSources): Promise<SlowwaveError> {
  const error = await loadConfig(sources).catch((thrown: unknown) => thrown);
  if (error instanceof SlowwaveError) return error;
  throw new Error(`expected a SlowwaveError, got ${String(error)}`);
}

test("loadConfig without file, environment and flags gives every default", async () => {
  const home = await temporaryFolder();
  const config = await loadConfig({ env: { HOME: home }, platform: "linux" });
  expect(config).toMatchObject({
    store: path.join(home, ".local/share/slowwave/store"),
    intervalHours: 1,
    rateLimit: 60,
    git: { enabled: true },
    settings: { decay: { forgetBelow: 0.05, halfLifeDays: 3 }, promote: { scoreAtLeast: 0.65 } },
  });
  expect(config).not.toHaveProperty("vault");
  expect(config).not.toHaveProperty("namespace");
  expect(config).not.toHaveProperty("throttle");
});

test.each([
  ["linux", { XDG_DATA_HOME: "/data" }, "/data/slowwave/store"],
  ["linux", { XDG_DATA_HOME: "not/absolute" }, "/home/ada/.local/share/slowwave/store"],
  ["darwin", {}, "/home/ada/Library/Application Support/slowwave/store"],
  ["win32", { LOCALAPPDATA: "/local" }, "/local/slowwave/store"],
  ["win32", {}, "/home/ada/AppData/Local/slowwave/store"],
  ["linux", { SLOWWAVE_HOME: "/elsewhere", XDG_DATA_HOME: "/data" }, "/elsewhere/store"],
] as const)("the default store on %s with %j is %s", async (platform, env, store) => {
  const config = await loadConfig({ env: { HOME: "/home/ada", ...env }, platform });
  expect(config.store).toBe(store);
});

test.each([
  ["linux", { XDG_CONFIG_HOME: "/etc/ada" }, "/etc/ada/slowwave/config.yaml"],
  ["linux", {}, "/home/ada/.config/slowwave/config.yaml"],
  ["darwin", {}, "/home/ada/Library/Application Support/slowwave/config.yaml"],
  ["win32", { APPDATA: "/roaming" }, "/roaming/slowwave/config.yaml"],
  ["linux", { SLOWWAVE_HOME: "/elsewhere" }, "/elsewhere/config.yaml"],
] as const)("the default file on %s with %j is %s", (platform, env, file) => {
  expect(configFileOf({ env: { HOME: "/home/ada", ...env }, platform })).toBe(file);
});

test("a flag wins over the environment, which wins over the file", async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, "config.yaml");
  await writeFile(
    file,
    "store: data\nrateLimit: 10\nintervalHours: 2\nthrottle: 7\nsettings:\n  decay: { halfLifeDays: 9 }\n",
  );
  const config = await loadConfig({
    file,
    env: { SLOWWAVE_RATE_LIMIT: "20", SLOWWAVE_INTERVAL_HOURS: "3" },
    flags: { intervalHours: 4, vault: undefined },
    cwd: "/somewhere",
  });
  expect(config).toMatchObject({ rateLimit: 20, intervalHours: 4, throttle: 7 });
  expect(config.settings.decay).toMatchObject({ halfLifeDays: 9, forgetBelow: 0.05 });
});

test("relative paths start at the file's folder in the file and at the working folder elsewhere", async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, "config.json");
  await writeFile(file, JSON.stringify({ store: "data", vault: "~/notes" }));
  const env = { HOME: "/home/ada" };
  expect(await loadConfig({ file, env })).toMatchObject({
    store: path.join(folder, "data"),
    vault: "/home/ada/notes",
  });
  const inFlags = await loadConfig({ file, env, flags: { store: "here" }, cwd: folder });
  expect(inFlags.store).toBe(path.join(folder, "here"));
});

test("a store given as a URI stays as it is, and file:// becomes a path", async () => {
  const load = (store: string) => loadConfig({ env: {}, flags: { store } });
  expect((await load("s3://bucket/a b")).store).toBe("s3://bucket/a b");
  expect((await load("file:///var/lib/slowwave")).store).toBe("/var/lib/slowwave");
});

test("CortexGraph's variables set interval and thresholds, and slowwave's own win over them", async () => {
  const env = {
    CORTEXGRAPH_CONSOLIDATION_INTERVAL: "5400",
    CORTEXGRAPH_FORGET_THRESHOLD: "0.02",
    CORTEXGRAPH_PROMOTE_THRESHOLD: "0.9",
    CORTEXGRAPH_PROMOTE_USE_COUNT: "8",
  };
  expect(await loadConfig({ env })).toMatchObject({
    intervalHours: 1.5,
    settings: { decay: { forgetBelow: 0.02 }, promote: { scoreAtLeast: 0.9, usesAtLeast: 8 } },
  });
  const both = await loadConfig({ env: { ...env, SLOWWAVE_PROMOTE_USES_AT_LEAST: "3" } });
  expect(both.settings.promote.usesAtLeast).toBe(3);
});

test("an empty variable counts as unset", async () => {
  expect(await loadConfig({ env: { SLOWWAVE_VAULT: "", SLOWWAVE_RATE_LIMIT: "" } })).toMatchObject({
    rateLimit: 60,
  });
});

test("every problem is reported at once, each with what set it, what was expected and what was meant", async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, "config.yaml");
  await writeFile(
    file,
    [
      "vualt: notes",
      "decay: { halfLifeDays: 3 }",
      "settings:",
      "  decay: { halfLifeDays: soon, modl: power_law }",
      "  policy: { merge: always }",
      "git: 5",
    ].join("\n"),
  );
  const env = { SLOWWAVE_RATE_LIMIT: "1e9", SLOWWAVE_VUALT: "x" };
  const error = await errorOf({ file, env, flags: { intervalHours: -1 } });
  expect(error.code).toBe("config");
  expect(error.message.split("\n")[0]).toBe("9 problems in the configuration:");
  for (const line of [
    `${file}: vualt: no such key; did you mean vault?`,
    `${file}: decay: no such key; did you mean settings.decay?`,
    `${file}: settings.decay.halfLifeDays: expected a number above 0, got "soon"`,
    `${file}: settings.decay.modl: no such key; did you mean settings.decay.model?`,
    `${file}: settings.policy.merge: expected review, got "always"`,
    `${file}: git: expected a group of keys, got 5`,
    `SLOWWAVE_RATE_LIMIT: expected a whole number, 1 or more, got "1e9"`,
    "SLOWWAVE_VUALT: no such setting; did you mean SLOWWAVE_VAULT?",
    "intervalHours: expected a number, 0 or more, got -1",
  ]) {
    expect(error.message).toContain(`  ${line}`);
  }
});

test.each(["abc", "10abc", "1e9", "NaN", "Infinity", "0x10"])(
  "a number given as %s in the environment is refused",
  async (text) => {
    const error = await errorOf({ env: { CORTEXGRAPH_FORGET_THRESHOLD: text } });
    expect(error.message).toBe(
      `CORTEXGRAPH_FORGET_THRESHOLD: expected a number from 0 to 1, got "${text}"`,
    );
  },
);

test("thresholds that contradict each other are refused", async () => {
  const error = await errorOf({
    env: { SLOWWAVE_DECAY_HIGH_BELOW: "0.3", SLOWWAVE_CLUSTER_LINK_THRESHOLD: "0.9" },
  });
  expect(error.message).toContain(
    "settings.decay.highBelow: expected at most settings.decay.mediumBelow (0.25), got 0.3",
  );
  expect(error.message).toContain("settings.cluster.linkThreshold");
});

test("a folder for notes that no note could be in is refused", async () => {
  const error = await errorOf({ env: {}, flags: { notes: { folder: "../{kind}" } } });
  expect(error.message).toContain("notes.folder: expected names without");
});

test("a file named with --config must exist, the default one need not", async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, "missing.yaml");
  expect((await errorOf({ file, env: {} })).message).toBe(`${file}: no such configuration file`);
  expect((await errorOf({ env: { SLOWWAVE_CONFIG: file } })).code).toBe("config");
  await expect(loadConfig({ env: { SLOWWAVE_HOME: folder } })).resolves.toMatchObject({
    store: path.join(folder, "store"),
  });
});

test("the default file is read where there is one", async () => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, "config.yaml"), "namespace: work\n");
  expect(await loadConfig({ env: { SLOWWAVE_HOME: folder } })).toMatchObject({ namespace: "work" });
});

test.each([
  ["config.yaml", "a: [1\n", "not valid YAML"],
  ["config.yaml", "rateLimit: 1\nrateLimit: 2\n", "line 2: not valid YAML"],
  ["config.json", "{", "not valid JSON"],
  ["config.yaml", "- 1\n", "expected keys with values, got a list"],
  ["config.toml", "a = 1", "expected a .yaml, .yml or .json file"],
])("a file %s with %j is refused: %s", async (name, text, message) => {
  const file = path.join(await temporaryFolder(), name);
  await writeFile(file, text);
  const error = await errorOf({ file, env: {} });
  expect(error.message).toContain(message);
  expect(error.message).toContain(file);
});

test("an empty file is an empty configuration", async () => {
  const file = path.join(await temporaryFolder(), "config.yaml");
  await writeFile(file, "# nothing yet\n");
  await expect(loadConfig({ file, env: {} })).resolves.toMatchObject({ rateLimit: 60 });
});

test("a vault inside the store, a store inside the vault, and one folder for both are refused by name", async () => {
  const folder = await temporaryFolder();
  const [outer, inner] = [path.join(folder, "a"), path.join(folder, "a", "b")];
  const refused = async (store: string, vault: string) =>
    (await errorOf({ env: {}, flags: { store, vault } })).message;
  expect(await refused(outer, inner)).toBe(`vault: ${inner} is inside the store ${outer}`);
  expect(await refused(inner, outer)).toBe(`store: ${inner} is inside the vault ${outer}`);
  expect(await refused(outer, outer)).toContain("are the same folder");
  await expect(
    loadConfig({ env: {}, flags: { store: outer, vault: path.join(folder, "ab") } }),
  ).resolves.toMatchObject({ store: outer });
});

test("a symlink does not hide that the vault is inside the store", async () => {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, "store"));
  await symlink(path.join(folder, "store"), path.join(folder, "link"));
  const error = await errorOf({
    env: {},
    flags: { store: path.join(folder, "store"), vault: path.join(folder, "link", "notes") },
  });
  expect(error.message).toContain("is inside the store");
});

test("a store that is a file is refused", async () => {
  const file = path.join(await temporaryFolder(), "store");
  await writeFile(file, "");
  const error = await errorOf({ env: {}, flags: { store: file } });
  expect(error.message).toBe(`store: expected a folder, ${file} is a file`);
});

test("what reaches an object store is kept, and its secrets are shown to nobody", async () => {
  const storage = { awsEndpoint: "http://127.0.0.1:9000", awsSecretAccessKey: "hush" };
  const config = await loadConfig({ env: {}, flags: { store: "s3://bucket/store", storage } });
  expect(config.storage?.reveal()).toEqual(storage);
  expect(JSON.parse(JSON.stringify(config))).toMatchObject({
    storage: { awsEndpoint: "http://127.0.0.1:9000", awsSecretAccessKey: "(set)" },
  });
});

test("the folder of beads may be named as the project's or as its own, from the file's folder or the working one", async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, "config.yaml");
  const tracker = async (text: string, env: Readonly<Record<string, string>> = {}) => {
    await writeFile(file, text);
    return (await loadConfig({ file, env: { HOME: "/home/ada", ...env }, cwd: "/base" })).tracker;
  };
  expect(await tracker("{}")).toEqual({ kind: "embedded", command: "bd" });
  expect(await tracker("tracker: { kind: beads, directory: project, command: ./bd }")).toEqual({
    kind: "beads",
    directory: path.join(folder, "project/.beads"),
    command: path.join(folder, "bd"),
  });
  const env = { SLOWWAVE_TRACKER_KIND: "beads", SLOWWAVE_TRACKER_DIRECTORY: "p/.beads" };
  expect(await tracker("{}", env)).toEqual({
    kind: "beads",
    directory: path.resolve("/base/p/.beads"),
    command: "bd",
  });
});

test("beads without a folder is refused: bd would take whichever it finds first", async () => {
  const error = await errorOf({ env: { HOME: "/home/ada", SLOWWAVE_TRACKER_KIND: "beads" } });
  expect(error).toMatchObject({
    code: "config",
    message: "tracker.directory: needed where issues are kept in beads, got nothing",
  });
});
