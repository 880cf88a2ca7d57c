import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export type EditOutcome =
  | { readonly kind: "edited"; readonly text: string }
  /** Nothing is to be done, and why. */
  | { readonly kind: "none"; readonly why: string };

/** Gives a text to the person's own editor (`VISUAL`, else `EDITOR`) in a file that nobody else may read. */
export async function editText(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<EditOutcome> {
  const editor = env.VISUAL || env.EDITOR;
  if (!editor) return { kind: "none", why: "no editor is known: set VISUAL or EDITOR" };
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-edit-"));
  try {
    const file = path.join(folder, "merged.md");
    await writeFile(file, `${text}\n`, { mode: 0o600 });
    const exitCode = await runEditor(editor, { file, env });
    if (exitCode !== 0) {
      return { kind: "none", why: `the editor ended with ${exitCode}, so nothing was changed` };
    }
    const edited = (await readFile(file, "utf8")).trim();
    if (edited === text.trim()) return { kind: "none", why: "nothing was changed" };
    if (edited === "") return { kind: "none", why: "an empty text changes nothing" };
    return { kind: "edited", text: edited };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By a shell, as git does, since the variable may hold options too: `code --wait`. */
async function runEditor(
  editor: string,
  how: { readonly file: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<number> {
  const { file, env } = how;
  const child =
    process.platform === "win32"
      ? spawn(`${editor} "${file}"`, { shell: true, stdio: "inherit", env })
      : spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env });
  return await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
