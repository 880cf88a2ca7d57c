import path from "node:path";
import { RELATION_TYPES } from "../model/relation.ts";
import type { IntakeItem, IntakeReader, IntakeSource, Origin } from "./incoming.ts";
import { listNotes, readNote } from "./markdown-files.ts";
import { isIndexFile, memoriesOfNote, noteId } from "./markdown-memory.ts";
import { linkTargets, type Note, parseNote } from "./markdown-note.ts";

/**
 * A folder of Markdown notes (an Obsidian vault, a tree of `MEMORY.md` files), or one note. A note is one memory, named by the `id` of
 * its frontmatter or after its path; an index file, `MEMORY.md`, is one memory a bullet and paragraph. Frontmatter gives tags and times,
 * and the rest of it is kept. Links between notes become `related` relations in both directions; links to nowhere are none.
 */
export const markdownReader: IntakeReader = {
  isLog: false,
  async *read(source) {
    const links: NoteLinks[] = [];
    const index = createNoteIndex();
    for (const file of source.isFolder ? await listNotes(source.path) : [""]) {
      yield* readOne(source, file, { links, index });
    }
    yield* relationsOf(links, index);
  },
};

interface NoteLinks {
  readonly id: string;
  readonly file: string;
  readonly origin: Origin;
  readonly targets: readonly string[];
}

interface Gathered {
  readonly links: NoteLinks[];
  readonly index: NoteIndex;
}

async function* readOne(
  source: IntakeSource,
  file: string,
  gathered: Gathered,
): AsyncGenerator<IntakeItem> {
  const name = file === "" ? path.basename(source.name) : file;
  const read = await readNote(path.join(source.path, file));
  if (!read.ok) {
    yield { kind: "bad", origin: { file: name, line: 1, raw: () => "" }, reason: read.reason };
    return;
  }
  const { text, modifiedAt } = read.value;
  const note = parseNote(text);
  if (!note.ok) {
    yield { kind: "bad", origin: { file: name, line: 1, raw: () => text }, reason: note.reason };
    return;
  }
  for (const found of memoriesOfNote(note.value, { file: name, modifiedAt })) {
    const origin = { file: name, line: found.line, raw: () => found.text };
    const { memory } = found;
    if (!memory.ok) {
      yield { kind: "bad", origin, reason: memory.reason };
      continue;
    }
    gathered.links.push({
      id: memory.value.id,
      file: name,
      origin,
      targets: linkTargets(found.text),
    });
    if (!isIndexFile(name)) addToIndex(gathered.index, name, note.value);
    yield { kind: "memory", origin, memory: memory.value };
  }
}

/** Notes by what a link may call them, folded; of several with a name the first by path is meant. */
interface NoteIndex {
  readonly byPath: Map<string, string>;
  readonly byName: Map<string, string>;
  readonly byAlias: Map<string, string>;
}

function createNoteIndex(): NoteIndex {
  return { byPath: new Map(), byName: new Map(), byAlias: new Map() };
}

function addToIndex({ byPath, byName, byAlias }: NoteIndex, file: string, note: Note): void {
  const id = noteId(note.frontmatter, file);
  addFirst(byPath, file, id);
  addFirst(byName, path.posix.basename(file), id);
  const { texts } = note.frontmatter;
  for (const alias of [...texts("aliases"), ...texts("alias")]) addFirst(byAlias, alias, id);
}

function addFirst(names: Map<string, string>, name: string, id: string): void {
  const key = linkKey(name);
  if (!names.has(key)) names.set(key, id);
}

function linkKey(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/\.(?:md|markdown)$/, "");
}

/** As Obsidian finds a note: beside the linking one, from the top, by its name alone; and by an alias, for links typed by hand. */
function findNote(target: string, from: string, index: NoteIndex): string | undefined {
  const beside = path.posix.join(path.posix.dirname(from), target);
  return (
    index.byPath.get(linkKey(beside)) ??
    index.byPath.get(linkKey(path.posix.normalize(target).replace(/^\/+/, ""))) ??
    index.byName.get(linkKey(path.posix.basename(target))) ??
    index.byAlias.get(linkKey(target))
  );
}

function* relationsOf(links: readonly NoteLinks[], index: NoteIndex): Generator<IntakeItem> {
  const joined = new Set<string>();
  for (const { id, file, origin, targets } of links) {
    for (const target of targets) {
      const to = findNote(target, file, index);
      if (to === undefined || to === id) continue;
      yield* related({ ends: [id, to], file, origin, joined });
      yield* related({ ends: [to, id], file, origin, joined });
    }
  }
}

function* related(link: {
  readonly ends: readonly [string, string];
  readonly file: string;
  readonly origin: Origin;
  readonly joined: Set<string>;
}): Generator<IntakeItem> {
  const [from, to] = link.ends;
  const key = JSON.stringify(link.ends);
  if (link.joined.has(key)) return;
  link.joined.add(key);
  const relation = { from, to, type: RELATION_TYPES.related, reason: `linked in ${link.file}` };
  yield { kind: "relation", origin: link.origin, relation };
}
