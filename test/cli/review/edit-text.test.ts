import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { editText } from "../../../src/cli/review/edit-text.ts";

/** A script in place of an editor; it notes the mode and the place of the file that it was given. */
async function anEditor(
  script: string,
): Promise<{ readonly command: string; readonly folder: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-editor-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const command = path.join(folder, "editor");
  await writeFile(
    command,
    `#!/bin/sh\nfor file; do :; done\necho "$@" > ${folder}/called\n${script}\n`,
  );
  await chmod(command, 0o755);
  return { command, folder };
}

test("editText gives back what the editor left, and leaves no file behind", async () => {
  const { command, folder } = await anEditor('printf "%s\\n" "Better said." > "$file"');
  const env = { PATH: process.env.PATH, EDITOR: "false", VISUAL: `${command} --wait` };
  expect(await editText("Said.", env)).toEqual({ kind: "edited", text: "Better said." });
  const called = (await readFile(path.join(folder, "called"), "utf8")).trim();
  expect(called).toMatch(/^--wait \S+merged\.md$/);
  await expect(readFile(called.replace("--wait ", ""))).rejects.toMatchObject({ code: "ENOENT" });
});

test.each([
  ["exit 3", "the editor ended with 3, so nothing was changed"],
  ["true", "nothing was changed"],
  ['printf "" > "$file"', "an empty text changes nothing"],
  ['printf "x" > "$file"; exit 1', "the editor ended with 1, so nothing was changed"],
])("an editor that does %j changes nothing", async (script, why) => {
  const { command } = await anEditor(script);
  expect(await editText("Said.", { PATH: process.env.PATH, EDITOR: command })).toEqual({
    kind: "none",
    why,
  });
});

test("without an editor it is said how to name one", async () => {
  expect(await editText("Said.", {})).toEqual({
    kind: "none",
    why: "no editor is known: set VISUAL or EDITOR",
  });
});
