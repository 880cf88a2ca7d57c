import { expect, test } from "vitest";
import { aMemory, anIssue, aRelation, BUILT_AT } from "../../builders.ts";
import { fill } from "../../scheduler/run-deps.ts";
import { createTestCli } from "../run-cli.ts";

test("remember stores the words as one text, with its flags", async () => {
  const cli = createTestCli();
  const result = await cli.run(
    ...["remember", "The", "kettle", "is", "blue.", "--tag", "home,kitchen", "--tag", "tea"],
    ...["--kind", "episodic", "--source", "a talk", "--strength", "1.5", "--json"],
  );
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(result.json()).toMatchObject({
    version: 1,
    outcome: "added",
    urgent: null,
    memory: {
      content: "The kettle is blue.",
      tags: ["home", "kitchen", "tea"],
      kind: "episodic",
      source: "a talk",
      strength: 1.5,
      createdAt: "2026-03-02T09:00:00.000Z",
      useCount: 0,
      lastUsedAt: null,
      score: 1.5,
    },
  });
});

test("remember reads standard input for -", async () => {
  const cli = createTestCli();
  await cli.runWith({ stdin: "  Two lines,\n  with an émoji 🫖\n" }, "remember", "-");
  const [memory] = await cli.store.read("memory");
  expect(memory?.content).toBe("Two lines,\n  with an émoji 🫖");
});

test.each([
  ["   \n ", "only white space"],
  ["", "only white space"],
  ["a\0b", "NUL character at position 2"],
])("remember refuses %j: %s", async (stdin, message) => {
  const cli = createTestCli();
  const { code, stderr } = await cli.runWith({ stdin }, "remember", "-");
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(await cli.store.read("memory")).toEqual([]);
});

test("remember refuses standard input that is not UTF-8", async () => {
  const cli = createTestCli();
  const { code, stderr } = await cli.runWith(
    { stdin: new Uint8Array([0xff, 0xfe]) },
    "remember",
    "-",
  );
  expect(code).toBe(2);
  expect(stderr).toContain("standard input: expected UTF-8 text");
});

test("remember told the same twice says that nothing was added", async () => {
  const cli = createTestCli();
  await cli.run("remember", "The kettle is blue.");
  const again = await cli.run("remember", "the  kettle is BLUE");
  expect(again.stdout).toContain("known already");
  expect(await cli.store.read("memory")).toHaveLength(1);
});

test("list shows live memories, --all archived ones too, and total counts beyond the limit", async () => {
  const cli = createTestCli();
  await fill(cli.store, [
    aMemory({ id: "a" }),
    aMemory({ id: "b", createdAt: BUILT_AT + 1, tags: ["x"] }),
    aMemory({ id: "c", status: "archived", archivedReason: "decayed" }),
    aMemory({ id: "d", status: "archived", archivedReason: "undone" }),
    aMemory({ id: "a", namespace: "work", createdAt: BUILT_AT - 1 }),
  ]);
  const ids = async (...argv: string[]) => {
    const { total, memories } = (await cli.run("list", "--json", ...argv)).json();
    return [total, ...(memories as { id: string; namespace: string }[]).map(({ id }) => id)];
  };
  expect(await ids()).toEqual([3, "b", "a", "a"]);
  expect(await ids("--all")).toEqual([4, "b", "a", "c", "a"]);
  expect(await ids("--status", "archived")).toEqual([1, "c"]);
  expect(await ids("--tag", "x")).toEqual([1, "b"]);
  expect(await ids("--namespace", "work")).toEqual([1, "a"]);
  expect(await ids("--limit", "1", "--offset", "1")).toEqual([3, "a"]);
  expect(await ids("--since", "2026-03-02T09:00:00.001Z")).toEqual([1, "b"]);
  const text = await cli.run("list", "--limit", "1");
  expect(text.stdout).toContain("… and 2 more");
});

test("list of an empty store says so", async () => {
  expect((await createTestCli().run("list")).stdout).toBe("no memories\n");
});

test("show prints a memory with its relations and issues", async () => {
  const cli = createTestCli();
  await fill(cli.store, [aMemory({ id: "m1", tags: ["tea"] }), aMemory({ id: "m2" })]);
  await cli.store.commit([
    { record: "relation", before: null, after: aRelation() },
    { record: "relation", before: null, after: aRelation({ id: "r2", undone: true }) },
    { record: "issue", before: null, after: anIssue() },
  ]);
  const { memory, relations, issues } = (await cli.run("show", "m1", "--json")).json();
  expect(memory).toMatchObject({ id: "m1", useCount: 0 });
  expect(relations).toMatchObject([{ id: "r1", createdAt: "2026-03-02T09:00:00.000Z" }]);
  expect(issues).toMatchObject([{ id: "sw-1" }]);
  const { stdout } = await cli.run("show", "m1");
  expect(stdout).toContain("Maria prefers green tea.");
  expect(stdout).toContain("→ related m2 (0.50)");
  expect(stdout).toContain("sw-1");
});

test("show of an id that several namespaces have asks for the namespace", async () => {
  const cli = createTestCli();
  await fill(cli.store, [aMemory(), aMemory({ namespace: "work" })]);
  const { code, stderr } = await cli.run("show", "m1");
  expect(code).toBe(2);
  expect(stderr).toContain("2 namespaces have one with this id (default, work)");
  expect((await cli.run("show", "m1", "--namespace", "work")).code).toBe(0);
});

test.each(["it's", 'say "hi"', "a;b", "id with spaces", "émile", "%_"])(
  "show finds the id %j and no other",
  async (id) => {
    const cli = createTestCli();
    await fill(cli.store, [aMemory({ id }), aMemory({ id: "other" })]);
    expect((await cli.run("show", id, "--json")).json()).toMatchObject({ memory: { id } });
  },
);

test("an id that does not exist is exit code 1 with the way to find ids", async () => {
  const cli = createTestCli();
  for (const command of ["show", "touch", "pin", "forget", "restore"]) {
    const { code, stderr } = await cli.run(command, "nope'");
    expect({ command, code }).toEqual({ command, code: 1 });
    expect(stderr).toContain(`memory "nope'": there is none`);
    expect(stderr).toContain("slowwave list --all");
  }
});

test("recall finds the nearest first and counts the use, unless told not to", async () => {
  const cli = createTestCli();
  await fill(cli.store, [
    aMemory({ id: "tea", content: "Maria prefers green tea." }),
    aMemory({ id: "deploy", content: "Deploy with docker compose." }),
  ]);
  const { hits } = (await cli.run("recall", "green", "tea", "--limit", "1", "--json")).json();
  expect(hits).toMatchObject([{ id: "tea", content: "Maria prefers green tea." }]);
  await cli.run("recall", "green tea", "--no-touch");
  expect(await cli.store.readUses({ namespace: "default" })).toMatchObject([
    { memoryId: "tea", kind: "recall", at: BUILT_AT },
  ]);
  expect(cli.opened.map(({ mode, create }) => [mode, create])).toEqual([
    ["write", false],
    ["read", false],
  ]);
});

test("recall marks what is disputed", async () => {
  const cli = createTestCli();
  await fill(cli.store, [aMemory({ disputed: true })]);
  const { hits } = (await cli.run("recall", "tea", "--json")).json();
  expect(hits).toMatchObject([{ id: "m1", disputed: true }]);
  expect((await cli.run("recall", "tea")).stdout).toContain("(disputed)");
});

test("recall that finds nothing names the namespaces that hold something", async () => {
  const cli = createTestCli();
  await fill(cli.store, [aMemory({ namespace: "work" })]);
  const { code, stdout } = await cli.run("recall", "tea");
  expect(code).toBe(0);
  expect(stdout).toBe("nothing found in namespace default; there are also: work (--namespace)\n");
});

test("edit changes what is given, refuses nothing to change, and tells when it is so already", async () => {
  const cli = createTestCli();
  await fill(cli.store, [aMemory({ tags: ["tea", "old"] })]);
  const edited = await cli.run(
    ...[
      "edit",
      "m1",
      "--content",
      "Maria prefers oolong.",
      "--add-tag",
      "new",
      "--remove-tag",
      "old",
    ],
    "--json",
  );
  expect(edited.json()).toMatchObject({
    changed: true,
    memory: { content: "Maria prefers oolong.", tags: ["tea", "new"], revision: 2 },
  });
  const same = await cli.run("edit", "m1", "--content", "Maria prefers oolong.");
  expect(same.stdout).toContain("is so already");
  expect((await cli.run("edit", "m1")).code).toBe(2);
  expect((await cli.run("edit", "m1", "--content", " ")).code).toBe(2);
});

test("touch, pin, forget and restore do what they say", async () => {
  const cli = createTestCli();
  await fill(cli.store, [aMemory()]);
  expect((await cli.run("touch", "m1", "--json")).json()).toMatchObject({
    memory: { useCount: 1 },
  });
  expect((await cli.run("pin", "m1", "--json")).json()).toMatchObject({ memory: { pinned: true } });
  expect((await cli.run("pin", "m1")).stdout).toContain("pinned already");
  expect((await cli.run("pin", "m1", "--off")).stdout).toContain("not pinned");
  const gone = await cli.run("forget", "m1", "--json");
  expect(gone.json()).toMatchObject({
    memory: { status: "archived", archivedReason: "forgotten" },
  });
  const refused = await cli.run("touch", "m1");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("slowwave restore m1");
  const back = (await cli.run("restore", "m1", "--json")).json();
  expect(back).toMatchObject({ changed: true, mergedInto: null, memory: { status: "active" } });
  expect(back.memory).not.toHaveProperty("archivedAt");
});

test("restore of a merged memory says that the merged one remains", async () => {
  const cli = createTestCli();
  await fill(cli.store, [
    aMemory({ status: "archived", archivedReason: "merged", supersededBy: "big" }),
    aMemory({ id: "big", leaves: ["m1"] }),
  ]);
  const { stdout } = await cli.run("restore", "m1");
  expect(stdout).toContain("it had been merged: big, which holds its facts too, remains");
});

test("stats counts what is visible, by status and namespace", async () => {
  const cli = createTestCli();
  await fill(cli.store, [
    aMemory({ id: "a" }),
    aMemory({ id: "b", status: "promoted" }),
    aMemory({ id: "c", status: "archived", archivedReason: "merged" }),
    aMemory({ id: "d", namespace: "work" }),
    aMemory({ id: "e", status: "archived", archivedReason: "undone" }),
  ]);
  await cli.store.commit([{ record: "issue", before: null, after: anIssue() }]);
  expect((await cli.run("stats", "--json")).json()).toMatchObject({
    version: 1,
    memories: { active: 2, promoted: 1, archived: 1 },
    relations: 0,
    issues: { open: 1, in_progress: 0, blocked: 0, closed: 0 },
    namespaces: { default: 2, work: 1 },
  });
  expect((await cli.run("stats")).stdout).toContain("default 2, work 1");
});

test("stored text cannot drive the terminal", async () => {
  const cli = createTestCli();
  await fill(cli.store, [aMemory({ id: "a\u001b[2J", content: "red \u001b[31m alert \u202e" })]);
  for (const argv of [["list"], ["recall", "alert"], ["show", "a\u001b[2J"]]) {
    const { stdout } = await cli.run(...argv);
    expect(stdout).toContain("\\u001b[31m");
    for (const character of ["\u001b", "\u202e"]) expect(stdout).not.toContain(character);
  }
});

test("forget --purge shows what would go and writes nothing; with --yes it is gone for good", async () => {
  const cli = createTestCli();
  const [secret, other] = [aMemory({ content: "The door code is 4711." }), aMemory({ id: "m2" })];
  await fill(cli.store, [secret, other]);
  await cli.run("touch", "m1");
  const shown = await cli.run("forget", "m1", "--purge");
  expect(shown.code).toBe(0);
  expect(cli.opened.at(-1)).toMatchObject({ mode: "read" });
  expect(shown.stdout).toContain("m1 would be removed for good");
  expect(shown.stdout).toContain("1 use,");
  expect(await cli.store.read("memory")).toHaveLength(2);
  const dry = await cli.run("forget", "m1", "--purge", "--dry-run", "--json");
  expect(dry.json()).toMatchObject({ dryRun: true, purged: ["m1"], uses: 1 });

  const done = await cli.run("forget", "m1", "--purge", "--yes", "--json");
  expect(done.json()).toMatchObject({ dryRun: false, purged: ["m1"], uses: 1, remains: [] });
  expect((await cli.store.read("memory")).map(({ id }) => id)).toEqual(["m2"]);
  expect((await cli.run("forget", "m1", "--purge", "--yes")).code).toBe(1);

  for (const flags of [["--yes"], ["--dry-run"], ["--purge", "--yes", "--dry-run"]]) {
    expect((await cli.run("forget", "m2", ...flags)).code).toBe(2);
  }
  expect(await cli.store.read("memory")).toEqual([other]);
});
