import { readFile } from "node:fs/promises";
import path from "node:path";
import { SlowwaveError } from "../model/errors.ts";
import type { Config } from "./config.ts";

/** File name of an embedder's similarity profile: ids hold characters that not every file system takes. */
export function profileNameOf(embedderId: string): string {
  return `${embedderId.replace(/[^\w.@-]/gu, "_")}.json`;
}

/** Where the profile of one's own labels is kept: the configured file, else one beside the configuration. */
export function profileFileOf(
  { similarityProfile, profileFolder }: Pick<Config, "similarityProfile" | "profileFolder">,
  embedderId: string,
): string | undefined {
  if (similarityProfile !== undefined) return similarityProfile;
  return profileFolder && path.join(profileFolder, profileNameOf(embedderId));
}

/**
 * What the file holds; `undefined` where there is none.
 * @throws SlowwaveError `config` where it is damaged
 */
export async function readProfileFile<T>(
  file: string,
  parse: (value: unknown) => T,
): Promise<T | undefined> {
  try {
    return parse(JSON.parse(await readFile(file, "utf8")));
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new SlowwaveError("config", `${file}: expected a similarity profile`, {
      cause,
      hint: "Fit it again with `slowwave calibrate --write`, or remove it.",
    });
  }
}
