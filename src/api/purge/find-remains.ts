import type { Issue } from "../../model/issue.ts";
import type { Parts } from "../../wire.ts";
import type { Removal } from "./find-removal.ts";
import { sentencesOf } from "./quotes.ts";
import { filesWhere } from "./search-files.ts";
import { trackerRemains } from "./tracker-remains.ts";

/** What a purge would leave behind, as far as it can be told before. */
export async function expectRemains(
  parts: Parts,
  { issues, notes }: { readonly issues: readonly Issue[]; readonly notes: readonly string[] },
): Promise<readonly string[]> {
  return [...trackerRemains(parts, issues), ...(await gitRemains(parts, notes))];
}

/** Where the words of what was removed still stand, and what to do about it. */
export async function findRemains(
  parts: Parts,
  done: {
    readonly removal: Removal;
    readonly issues: readonly Issue[];
    readonly notes: readonly string[];
    readonly storeFolder?: string | undefined;
  },
): Promise<readonly string[]> {
  return [
    ...trackerRemains(parts, done.issues),
    ...(await owedRemains(parts)),
    ...(await gitRemains(parts, done.notes)),
    ...(await foundRemains(parts, done.removal, done.storeFolder)),
  ];
}

async function owedRemains({ store }: Parts): Promise<readonly string[]> {
  const owed = await store.read("outbox", { state: ["open"] });
  return owed.every(({ kind }) => kind !== "git")
    ? []
    : ["git still has to commit the notes, and the row that says so names them: `slowwave run`"];
}

async function gitRemains(
  { versionControl }: Parts,
  notes: readonly string[],
): Promise<readonly string[]> {
  const state = await versionControl?.state();
  if (state === undefined || state.kind === "none" || notes.length === 0) return [];
  const paths = notes.map((note) => `--path ${JSON.stringify(note)}`).join(" ");
  return [
    `the vault's git history keeps earlier texts of its notes, here and wherever it was pushed; in the vault: git filter-repo --invert-paths ${paths}`,
  ];
}

/** Looks, rather than believing. */
async function foundRemains(
  { vault }: Parts,
  removal: Removal,
  storeFolder: string | undefined,
): Promise<readonly string[]> {
  const sentences = sentencesOf(removal.targets);
  const isSaid = (content: Buffer) => sentences.some((sentence) => content.includes(sentence));
  const inStore = storeFolder === undefined ? [] : await filesWhere(storeFolder, isSaid);
  const why = removal.alsoSaidBy.length > 0 ? ", maybe another memory's" : "";
  const remains = inStore.map((file) => `${file} still has a sentence of it${why}`);
  for (const path of (await vault?.paths()) ?? []) {
    const text = path.endsWith(".md") ? await vault?.read(path) : undefined;
    if (text !== undefined && isSaid(Buffer.from(text))) {
      remains.push(
        `the note ${path} quotes it: what you wrote there, or another memory says, stays`,
      );
    }
  }
  return remains;
}
