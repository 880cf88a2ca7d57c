import type { NoteVault, VaultFormat } from "../ports/note-vault.ts";
import type { View } from "../ports/view.ts";
import type { LastWritten } from "./last-written.ts";
import { type Noted, notedMemories, subjectOf } from "./note-subjects.ts";
import { readText } from "./read-text.ts";

export interface VaultProblem {
  readonly path: string;
  readonly problem: string;
}

export interface VaultCheck {
  /** How many notes of ours were looked at. */
  readonly checked: number;
  readonly problems: readonly VaultProblem[];
}

interface CheckInput {
  readonly view: View;
  readonly vault: NoteVault;
  readonly format: VaultFormat;
  readonly lastWritten: LastWritten;
}

/**
 * Reads every note: ours must be there, readable and as we left them, with links that lead somewhere; no other may carry an id of ours.
 * Writes nothing.
 */
export async function checkVault(input: CheckInput): Promise<VaultCheck> {
  const paths = await input.vault.paths();
  const memories = notedMemories(input.view);
  const resolves = createResolver(paths);
  const problems: VaultProblem[] = [];
  for (const memory of memories) {
    problems.push(...(await checkNote(memory, input, resolves)));
  }
  const known = new Set(memories.map((memory) => memory.vaultPath));
  const others = paths.filter((path) => /\.md$/i.test(path) && !known.has(path));
  const owners = new Map(memories.map((memory) => [memory.id, memory.vaultPath]));
  for (const path of others) {
    const found = await readText(input.vault, path);
    const text = found.text ?? "";
    const isIndex = input.format.indexIn(text) !== undefined;
    const problem = isIndex ? undefined : strangerProblem(text, owners, input.format);
    if (problem !== undefined) problems.push({ path, problem });
    if (isIndex) problems.push(...linkProblems(path, text, { format: input.format, resolves }));
  }
  return { checked: memories.length, problems };
}

/** An archived note whose memory was removed for good is a keepsake. */
function strangerProblem(
  text: string,
  owners: ReadonlyMap<string, string>,
  format: VaultFormat,
): string | undefined {
  const identity = format.identify(text);
  if (identity === undefined) return undefined;
  const owner = owners.get(identity.id);
  if (owner !== undefined) return `carries the id of ${owner}: it was moved there or copied`;
  return identity.retired
    ? undefined
    : `carries the id ${identity.id}, and no memory with it has a note`;
}

function linkProblems(
  path: string,
  text: string,
  by: { readonly format: VaultFormat; readonly resolves: (link: string) => boolean },
): readonly VaultProblem[] {
  return by.format
    .linksIn(text)
    .filter((link) => !by.resolves(link))
    .map((link) => ({ path, problem: `links to ${link}, which is not there` }));
}

async function checkNote(
  memory: Noted,
  input: CheckInput,
  resolves: (link: string) => boolean,
): Promise<readonly VaultProblem[]> {
  const path = memory.vaultPath;
  const found = await readText(input.vault, path);
  if (found.problem !== undefined) return [{ path, problem: found.problem }];
  const { text } = found;
  if (text === undefined) {
    // An archived note that a person threw away is missed by nobody.
    return memory.status === "archived" ? [] : [{ path, problem: "is not there" }];
  }
  const problems: string[] = [];
  const id = input.format.identify(text)?.id;
  if (id !== undefined && id !== memory.id)
    problems.push(`carries the id of another memory, ${id}`);
  problems.push(...(await editProblems(memory, text, input)));
  return [
    ...problems.map((problem) => ({ path, problem })),
    ...linkProblems(path, text, { format: input.format, resolves }),
  ];
}

async function editProblems(
  memory: Noted,
  text: string,
  { view, format, lastWritten }: CheckInput,
): Promise<readonly string[]> {
  // The archive is not read back; a person may keep there what they like.
  if (memory.status === "archived") return [];
  const edits = await format.readEdits({
    subject: subjectOf(memory, { view, format }),
    existing: text,
    written: () => lastWritten(memory.vaultPath),
  });
  switch (edits.kind) {
    case "none":
      return [];
    case "edits":
      return [`was edited (${edits.what.join(", ")}); the next run takes that over`];
    case "conflict":
      return [`was edited (${edits.what.join(", ")}), and its memory changed as well`];
    case "blocked":
      return [edits.reason];
  }
}

/** As Obsidian finds a note: by its path from the top, or by the end of it; letter case does not count. */
function createResolver(paths: readonly string[]): (link: string) => boolean {
  const known = new Set<string>();
  for (const path of paths) {
    const segments = path.toLowerCase().split("/");
    for (let start = 0; start < segments.length; start += 1) {
      known.add(segments.slice(start).join("/"));
    }
  }
  return (link) => {
    const wanted = link.toLowerCase();
    return known.has(wanted) || known.has(`${wanted}.md`);
  };
}
