import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createBeadsTracker } from "../../../src/adapters/issues-beads/create-beads-tracker.ts";
import { toBeadsLine } from "../../../src/ports/beads-line.ts";
import { anIssue } from "../../builders.ts";

/** A stand-in for `bd`: what a real one never does on demand. The real one is held to the contract in test/deep. */
async function aProject(script: string) {
  const project = await mkdtemp(path.join(tmpdir(), "slowwave-fake-bd-"));
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  const folder = path.join(project, ".beads");
  await mkdir(folder);
  const command = path.join(project, "bd");
  await writeFile(command, `#!/bin/sh\necho "$@" >> ${project}/calls\n${script}\n`);
  await chmod(command, 0o755);
  return { project, folder, command };
}

function aTracker(
  place: { readonly folder: string; readonly command: string },
  options: { readonly timeoutMs?: number } = {},
) {
  return createBeadsTracker({
    ...place,
    ...options,
    storeId: "store-1",
    actor: "slowwave#test",
    env: { PATH: process.env.PATH, BEADS_DB: "/elsewhere", BD_ACTOR: "somebody" },
    exclusive: (work) => work(),
  });
}

/** Answers the probe as beads does; `rest` is the shell of everything else. */
function answering(version: string, where: string, rest = "exit 0"): string {
  return `case "$*" in
  *version*) echo '{"version":"${version}"}' ;;
  *where*) echo '{"path":"${where}"}' ;;
  *) ${rest} ;;
esac`;
}

test("a command that is not there is named, with how to install beads", async () => {
  const { folder } = await aProject("");
  await expect(aTracker({ folder, command: "bd-nowhere" }).query({})).rejects.toMatchObject({
    code: "tracker",
    message: 'issues are kept in beads, and there is no command "bd-nowhere"',
    hint: expect.stringContaining("Install beads 1.0.4 or newer"),
  });
});

test("another program of that name is not taken for beads", async () => {
  const place = await aProject("echo 'bd: the bit drift tool, v9.1.0'");
  await expect(aTracker(place).query({})).rejects.toMatchObject({
    code: "tracker",
    message: expect.stringContaining("does not answer as beads does"),
  });
});

test.each(["1.0.3", "0.59.0", "2.0.0"])(
  "beads %s is refused before anything is read",
  async (version) => {
    const place = await aProject("");
    await writeFile(place.command, `#!/bin/sh\n${answering(version, place.folder)}\n`);
    await expect(aTracker(place).query({})).rejects.toMatchObject({
      message: expect.stringContaining(`is beads ${version}; needed is 1.0.4 or newer, below 2`),
    });
  },
);

test("a database in a folder above is not taken for the one that was named, and none is made", async () => {
  const place = await aProject(answering("1.0.5", "/"));
  await expect(aTracker(place).query({})).rejects.toMatchObject({
    message: `there is no beads database in ${place.folder}; bd would use /`,
    hint: expect.stringContaining("bd init"),
  });
  expect(await readFile(path.join(place.project, "calls"), "utf8")).not.toContain("init");
});

test("an answer is read with and without an envelope, and other stores' and people's issues are passed over", async () => {
  const own = toBeadsLine(anIssue({ id: "sw-1" }), { marks: { slowwave_store: "store-1" } });
  const other = toBeadsLine(anIssue({ id: "sw-2" }), { marks: { slowwave_store: "store-2" } });
  const lines = [own, other, '{"id":"x-1","title":"","priority":"whatever"}'].join("\n");
  const place = await aProject("");
  const answers = [`{"version":"1.0.5"}`, `{"schema_version":1,"data":{"version":"1.0.5"}}`];
  for (const version of answers) {
    const script = `case "$*" in
  *version*) echo '${version}' ;;
  *where*) echo '{"data":{"path":"${place.folder}"}}' ;;
  *) cat ${place.project}/lines ;;
esac`;
    await writeFile(path.join(place.project, "lines"), lines);
    await writeFile(place.command, `#!/bin/sh\n${script}\n`);
    expect((await aTracker(place).query({})).map(({ id }) => id)).toEqual(["sw-1"]);
  }
});

test("an export that fails, or is no JSON, is an error and never an empty list", async () => {
  for (const [rest, said] of [
    ['echo \'{"error":"no database"}\'; exit 1', "bd export: no database"],
    ["echo 'warning: x' >&2; echo 'Error: schema is newer' >&2; exit 1", "Error: schema is newer"],
    ["exit 1", "it failed without a word"],
    ["echo Issues: none", "expected one JSON object"],
  ] as const) {
    const place = await aProject("");
    await writeFile(place.command, `#!/bin/sh\n${answering("1.0.5", place.folder, rest)}\n`);
    await expect(aTracker(place).query({})).rejects.toMatchObject({
      code: "tracker",
      message: expect.stringContaining(said),
    });
  }
});

test("a bd that does not answer is ended with all that it started, and said to be late", async () => {
  const place = await aProject("sleep 600 & wait");
  await expect(aTracker(place, { timeoutMs: 300 }).query({})).rejects.toMatchObject({
    code: "tracker",
    message: "bd version did not answer within 0.3 seconds",
  });
});

test("a passing failure of the database is tried again, any other is not", async () => {
  const place = await aProject("");
  const rest = `if [ -e ${place.project}/tried ]; then exit 0; fi; touch ${place.project}/tried; echo 'Error: database is locked' >&2; exit 1`;
  await writeFile(
    place.command,
    `#!/bin/sh\necho "$@" >> ${place.project}/calls\n${answering("1.0.5", place.folder, rest)}\n`,
  );
  expect(await aTracker(place).query({})).toEqual([]);
  const calls = (await readFile(path.join(place.project, "calls"), "utf8")).match(/export/g);
  expect(calls).toHaveLength(2);
});

test("every call names its actor and its folder, and drops variables that would lead elsewhere", async () => {
  const place = await aProject("");
  const rest = `echo "$BEADS_DIR|$BEADS_DB|$BD_ACTOR|$BD_JSON_ENVELOPE" > ${place.project}/env; exit 0`;
  await writeFile(
    place.command,
    `#!/bin/sh\necho "$@" >> ${place.project}/calls\n${answering("1.0.5", place.folder, rest)}\n`,
  );
  expect(await aTracker(place).query({})).toEqual([]);
  const calls = (await readFile(path.join(place.project, "calls"), "utf8")).trimEnd().split("\n");
  expect(calls).toEqual([
    "--json --actor slowwave#test version",
    "--json --actor slowwave#test where",
    "--json --actor slowwave#test --readonly export --all",
  ]);
  expect(await readFile(path.join(place.project, "env"), "utf8")).toBe(`${place.folder}|||1\n`);
});
