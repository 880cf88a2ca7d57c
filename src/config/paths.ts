import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

export function isUri(location: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(location);
}

/** An absolute path, or the URI as it is; `~` is the home folder, a relative path starts at `base`. */
export function resolveLocation(
  location: string,
  { base, homeFolder }: { readonly base: string; readonly homeFolder: string },
): string {
  if (/^file:\/\//i.test(location)) return fileURLToPath(location);
  if (isUri(location)) return location;
  if (location === "~") return homeFolder;
  if (/^~[/\\]/.test(location)) return path.join(homeFolder, location.slice(2));
  return path.resolve(base, location);
}

/**
 * What is wrong with these places, as sentences. A vault inside the store would have its notes swept up by the store's clean-up, and a
 * store inside the vault would be indexed, synchronised and committed with the notes.
 */
export async function findPlaceProblems(places: {
  readonly store: string;
  readonly vault?: string;
}): Promise<string[]> {
  const { store, vault } = places;
  if (isUri(store)) return [];
  const problems: string[] = [];
  if (await isOtherThanFolder(store)) {
    problems.push(`store: expected a folder, ${store} is a file`);
  }
  if (vault !== undefined) {
    const [realStore, realVault] = [await realLocation(store), await realLocation(vault)];
    if (realStore === realVault) {
      problems.push(`vault: ${vault} and the store ${store} are the same folder`);
    } else if (isInside(realVault, realStore)) {
      problems.push(`vault: ${vault} is inside the store ${store}`);
    } else if (isInside(realStore, realVault)) {
      problems.push(`store: ${store} is inside the vault ${vault}`);
    }
  }
  return problems;
}

async function isOtherThanFolder(location: string): Promise<boolean> {
  try {
    return !(await stat(location)).isDirectory();
  } catch {
    // Not there, or not to be looked at: opening the store reports that with its cause.
    return false;
  }
}

/** The path with every symlink of its existing part resolved: links must not hide that two places are one. */
async function realLocation(location: string): Promise<string> {
  try {
    return await realpath(location);
  } catch {
    const parent = path.dirname(location);
    // Not there yet: the nearest folder that exists decides.
    return parent === location
      ? location
      : path.join(await realLocation(parent), path.basename(location));
  }
}

function isInside(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner);
  const leaves =
    relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  return relative !== "" && !leaves;
}
