import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { SchedulePart } from "../../ports/schedule-installer.ts";

/** `undefined` where there is no such file; any other failure throws. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes the files, starts what they describe, and puts the earlier files back where that fails. */
export async function writeParts(
  parts: readonly SchedulePart[],
  start: (change: { readonly changed: boolean }) => Promise<void>,
): Promise<{ readonly changed: boolean; readonly places: readonly string[] }> {
  const earlier = await Promise.all(
    parts.map(async ({ place }) => ({ place, text: await readIfThere(place) })),
  );
  const changed = parts.some(({ text }, index) => earlier[index]?.text !== text);
  if (changed) await Promise.all(parts.map(put));
  try {
    await start({ changed });
  } catch (error) {
    if (changed) await Promise.all(earlier.map(put));
    throw error;
  }
  return { changed, places: parts.map(({ place }) => place) };
}

async function put({
  place,
  text,
}: {
  readonly place: string;
  readonly text: string | undefined;
}): Promise<void> {
  if (text === undefined) {
    await rm(place, { force: true });
    return;
  }
  await mkdir(path.dirname(place), { recursive: true });
  // A scheduler that reloads meanwhile must not see half a file.
  await writeFile(`${place}.new`, text);
  await rename(`${place}.new`, place);
}
