import { realpath } from "node:fs/promises";
import { z } from "zod";
import { SlowwaveError } from "../../model/errors.ts";
import { type BdOptions, INSTALL_HINT, runBd, unwrap } from "./run-bd.ts";

const versionSchema = z.looseObject({ version: z.string().regex(/^v?\d+\.\d+\.\d+/) });
const whereSchema = z.looseObject({ path: z.string() });

/**
 * Makes sure that the command is beads, of a version we know, and that it works on the very folder it was given. beads looks in the folders
 * above where it finds no database, and would write into another project. Makes nothing.
 * @throws SlowwaveError `tracker` with what was found and what to do
 */
export async function probeBeads(options: BdOptions): Promise<void> {
  const version = await versionOf(options);
  const [major = 0, minor = 0, patch = 0] = version
    .replace(/^v/, "")
    .split(".")
    .map(Number.parseFloat);
  const isOld = major < 1 || (major === 1 && minor === 0 && patch < 4);
  if (isOld || major > 1) {
    throw new SlowwaveError(
      "tracker",
      `${options.command} is beads ${version}; needed is 1.0.4 or newer, below 2`,
      {
        hint: INSTALL_HINT,
      },
    );
  }
  await checkFolder(options);
}

async function versionOf(options: BdOptions): Promise<string> {
  const answer = await runBd({ args: ["version"] }, options);
  const parsed = answer.ok ? versionSchema.safeParse(jsonOf(answer.stdout)) : undefined;
  if (parsed?.success) return parsed.data.version;
  throw new SlowwaveError(
    "tracker",
    `the command ${JSON.stringify(options.command)} is there and does not answer as beads does`,
    { hint: `Another program may have that name. ${INSTALL_HINT}` },
  );
}

async function checkFolder(options: BdOptions): Promise<void> {
  const wanted = await realPath(options.folder);
  const answer = await runBd({ args: ["where"] }, options);
  const parsed = answer.ok ? whereSchema.safeParse(jsonOf(answer.stdout)) : undefined;
  const found = parsed?.success ? await realPath(parsed.data.path) : undefined;
  if (wanted !== undefined && found === wanted) return;
  const instead = found === undefined ? "" : `; bd would use ${found}`;
  throw new SlowwaveError("tracker", `there is no beads database in ${options.folder}${instead}`, {
    hint: `Make one: BEADS_DIR=${options.folder} bd init --non-interactive, or name another folder as \`tracker.directory\`.`,
  });
}

async function realPath(folder: string): Promise<string | undefined> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** `undefined` where it is no JSON at all. */
function jsonOf(stdout: string): unknown {
  try {
    return unwrap(JSON.parse(stdout));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
