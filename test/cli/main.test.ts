import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createTestCli } from "./run-cli.ts";

const COMMANDS = [
  ...["init", "config", "stats", "demo", "remember", "recall", "list", "show", "edit", "touch"],
  ...["pin", "promote", "restore", "forget", "import", "export", "run", "runs", "issues"],
];

test("--help names every command, every global flag and the exit codes, and opens nothing", async () => {
  const cli = createTestCli();
  const { code, stdout, stderr } = await cli.run("--help");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} `, "m"));
  for (const flag of ["store", "vault", "namespace", "config", "as-of", "json", "quiet", "debug"]) {
    expect(stdout).toContain(`--${flag}`);
  }
  expect(stdout).toContain("130  interrupted");
  expect(cli.opened).toEqual([]);
});

test.each(COMMANDS)("%s --help describes it, with the global flags", async (command) => {
  const { code, stdout } = await createTestCli().run(command, "--help");
  expect(code).toBe(0);
  expect(stdout).toContain(`Usage: slowwave ${command}`);
  expect(stdout).toContain("--as-of");
});

test("run --help lists all its flags", async () => {
  const { stdout } = await createTestCli().run("run", "--help");
  for (const flag of [
    ...["dry-run", "agent", "scheduled", "interval-hours", "force", "limit", "rate-limit"],
    ...["throttle", "no-llm", "full", "tag", "kind", "since"],
  ]) {
    expect(stdout).toMatch(new RegExp(`--${flag}\\b`));
  }
});

test("--version prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(await createTestCli().run("--version")).toMatchObject({ code: 0, stdout: `${version}\n` });
});

test("no command shows the help on stderr and is a usage error", async () => {
  const { code, stdout, stderr } = await createTestCli().run();
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("Usage: slowwave");
});

test.each([
  [["rnu"], "unknown command 'rnu'", "Did you mean run?"],
  [["run", "--dryrun"], "unknown option '--dryrun'", "Did you mean --dry-run?"],
  [
    ["run", "--agent", "decya"],
    '--agent: expected decay, cluster, merge, promote, relations, got "decya"',
    "Did you mean decay?",
  ],
  [
    ["run", "--interval-hours", "abc"],
    '--interval-hours: expected a number, 0 or more, got "abc"',
    "plain digits",
  ],
  [
    ["run", "--interval-hours", "-1"],
    '--interval-hours: expected a number, 0 or more, got "-1"',
    "plain digits",
  ],
  [["run", "--interval-hours", "NaN"], "--interval-hours", "plain digits"],
  [
    ["run", "--limit", "10abc"],
    '--limit: expected a whole number, 1 or more, got "10abc"',
    "plain digits",
  ],
  [["run", "--limit", "1e9"], "--limit", "plain digits"],
  [["run", "--limit", "2.5"], "--limit", "plain digits"],
  [["run", "--limit", "0"], "--limit", "plain digits"],
  [["run", "--rate-limit", "99999999999999999999"], "--rate-limit", "plain digits"],
  [["run", "--kind", "semantics"], "--kind", "Did you mean semantic?"],
  [["list", "--status", "active,archve"], "--status", "Did you mean archived?"],
  [
    ["remember", "--strength", "3", "x"],
    "--strength: expected a number from 0 to 2",
    "plain digits",
  ],
  [["issues", "list", "--urgency", "hgih"], "--urgency", "Did you mean high?"],
  [["promote", "m1"], "required option '--force'", "--help"],
  [["show"], "missing required argument 'id'", "--help"],
  [["show", "a", "b"], "too many arguments", "--help"],
  [["stats", "--as-of", "yesterday"], '--as-of: expected a time, got "yesterday"', "ISO 8601"],
  [["stats", "--store", ""], 'store: expected a text that is not empty, got ""', "config"],
  [["stats", "--config", "nowhere.yaml"], "no such configuration file", "--config"],
])("%j is refused with exit code 2: %s", async (argv, message, hint) => {
  const cli = createTestCli();
  const { code, stdout, stderr } = await cli.run(...argv);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(`error: `);
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
  expect(stderr).not.toContain("    at ");
  expect(cli.opened).toEqual([]);
});

test("with --json a usage error is one document on stdout and nothing on stderr", async () => {
  const result = await createTestCli().run("run", "--limit", "10abc", "--json");
  expect(result).toMatchObject({ code: 2, stderr: "" });
  expect(result.json()).toEqual({
    version: 1,
    error: {
      code: "usage",
      message: '--limit: expected a whole number, 1 or more, got "10abc"',
      hint: "Write it in plain digits, for example 12.",
    },
  });
});

test("a --json after -- is text, not a flag", async () => {
  const { code, stdout } = await createTestCli().run("show", "a", "b", "--", "--json");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
});

test("an unknown key of the configuration file is refused by name, and nothing is opened", async () => {
  const cli = createTestCli();
  const { code, stderr } = await cli.runWith({ env: { SLOWWAVE_VUALT: "x" } }, "stats");
  expect(code).toBe(2);
  expect(stderr).toContain("SLOWWAVE_VUALT: no such setting; did you mean SLOWWAVE_VAULT?");
  expect(cli.opened).toEqual([]);
});

test("a bug keeps its stack and says that it is one", async () => {
  const cli = createTestCli();
  const store = { ...cli.store, read: () => Promise.reject(new TypeError("boom")) };
  const { code, stderr, stdout } = await createTestCli({ store }).run("stats");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("this is a bug in slowwave");
  expect(stderr).toContain("TypeError: boom\n    at ");
});

test("config prints the effective configuration, and refuses the vault inside the store", async () => {
  const cli = createTestCli();
  const shown = await cli.run("config", "--store", "/data/store", "--json");
  expect(shown.json()).toMatchObject({
    version: 1,
    config: { store: "/data/store", rateLimit: 60 },
  });
  expect((await cli.run("config")).stdout).toContain("halfLifeDays: 3");
  const refused = await cli.run("config", "--store", "/data", "--vault", "/data/vault");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("/data/vault is inside the store /data");
});

test("colour is for terminals, and NO_COLOR wins", async () => {
  const cli = createTestCli();
  await cli.run("remember", "The kettle is blue.");
  const colour = "\u001b[";
  expect((await cli.runWith({ isTTY: true }, "list")).stdout).toContain(colour);
  expect((await cli.runWith({ isTTY: false }, "list")).stdout).not.toContain(colour);
  const plain = { isTTY: true, env: { NO_COLOR: "1" } };
  expect((await cli.runWith(plain, "list")).stdout).not.toContain(colour);
});
