import { type Memory, type MemoryChanges, memoryKey, reviseMemory } from "../model/memory.ts";
import type { EditedFields, NoteVault, VaultFormat } from "../ports/note-vault.ts";
import type { View } from "../ports/view.ts";
import { type FoundNote, findNotes } from "./find-notes.ts";
import type { Gate } from "./gate.ts";
import type { LastWritten } from "./last-written.ts";
import { type Noted, notedMemories, subjectOf } from "./note-subjects.ts";
import type { DecidedProposal } from "./plan.ts";
import { closing, declinePromotion, findingOf, vaultStep } from "./vault-findings.ts";

export interface SyncInput {
  readonly view: View;
  readonly vault: NoteVault;
  readonly format: VaultFormat;
  /** Every path of the vault. */
  readonly paths: ReadonlySet<string>;
  readonly gate: Gate;
  readonly lastWritten: LastWritten;
  /** A person says that the missing notes were deleted, however many they are. */
  readonly acceptDeletions: boolean;
}

/** What a person did in the vault, as steps. Memories are named by their key. */
export interface VaultSync {
  readonly decided: readonly DecidedProposal[];
  readonly notes: readonly string[];
  /** Memories whose edited notes may be written over, each with the proposal that takes the edits in, if one is needed. */
  readonly taken: ReadonlyMap<string, string | undefined>;
  /** Memories whose notes are not to be touched in this run. */
  readonly left: ReadonlySet<string>;
  readonly scanned: number;
}

interface Draft {
  readonly decided: DecidedProposal[];
  readonly notes: string[];
  readonly taken: Map<string, string | undefined>;
  readonly left: Set<string>;
}

/**
 * Brings back what a person did to notes since they were written: edits become revisions of their memories, a deleted note takes its
 * promotion back, a moved one is followed. Where note and memory both changed, a person decides. Reads only.
 */
export async function syncVault(input: SyncInput): Promise<VaultSync> {
  const memories = notedMemories(input.view).filter((memory) => memory.status === "promoted");
  const found = await findNotes({ ...input, memories });
  const draft: Draft = { decided: [], notes: [], taken: new Map(), left: new Set() };
  const gone = memories.filter((memory) => found.notes.get(memoryKey(memory))?.kind === "gone");
  const isUnmounted = !input.acceptDeletions && looksUnmounted(gone, memories, input.paths);
  if (isUnmounted) draft.notes.push(unmountedNote(gone.length, memories.length));
  for (const memory of memories) {
    const note = found.notes.get(memoryKey(memory)) ?? { kind: "gone" };
    if (note.kind === "gone" && isUnmounted) draft.left.add(memoryKey(memory));
    else await syncNote({ memory, note }, input, draft);
    const copies = found.copies.get(memoryKey(memory));
    if (copies !== undefined) reportCopies({ memory, copies }, input, draft);
  }
  return { ...draft, scanned: memories.length };
}

/** So many notes gone at once are a folder that is not there, a branch without them, or a sync that has not come to its end. */
const SUSPICIOUS_COUNT = 5;

function looksUnmounted(
  gone: readonly Memory[],
  all: readonly Memory[],
  paths: ReadonlySet<string>,
): boolean {
  if (gone.length === 0) return false;
  const hasNotes = [...paths].some((path) => /\.md$/i.test(path));
  if (!hasNotes) return true;
  return gone.length >= SUSPICIOUS_COUNT && gone.length * 2 > all.length;
}

function unmountedNote(gone: number, all: number): string {
  return `vault: ${gone} of ${all} notes are missing at once, so nothing is made of it; if you deleted them: slowwave vault sync --accept-deletions`;
}

async function syncNote(
  { memory, note }: { readonly memory: Noted; readonly note: FoundNote },
  input: SyncInput,
  draft: Draft,
): Promise<void> {
  switch (note.kind) {
    case "there":
      await syncText({ memory, path: memory.vaultPath, text: note.text }, input, draft);
      break;
    case "moved":
      await syncText({ memory, path: note.path, text: note.text }, input, draft);
      break;
    case "gone":
      takeBack(memory, input, draft);
      break;
    case "unreadable":
      draft.left.add(memoryKey(memory));
      draft.notes.push(note.problem);
      break;
    case "several":
      draft.left.add(memoryKey(memory));
      draft.notes.push(
        `vault: the note ${memory.vaultPath} is gone, and several carry its id: ${note.paths.join(", ")}; keep one`,
      );
  }
}

/** Only what was promoted here had its note written by us: of an imported path nobody knows whether a note was ever there. */
function takeBack(memory: Noted, input: SyncInput, draft: Draft): void {
  if (memory.promotedWhy === undefined) return;
  const after = reviseMemory(memory, {
    status: "active",
    promotedAt: undefined,
    promotedScore: undefined,
    promotedWhy: undefined,
    vaultPath: undefined,
    vaultFolder: undefined,
  });
  const step = vaultStep({
    memory,
    action: "note_deleted",
    title: `Note deleted: ${memory.vaultPath}`,
    reason: "a person deleted its note, so it is no longer promoted",
    changes: [
      { kind: "memory.put", before: memory, after },
      ...declinePromotion(memory, input.view),
    ],
  });
  if (!decide(step, input, draft)) draft.left.add(memoryKey(memory));
}

interface NoteOnDisk {
  readonly memory: Noted;
  readonly path: string;
  readonly text: string;
}

async function syncText(note: NoteOnDisk, input: SyncInput, draft: Draft): Promise<void> {
  const { memory, text } = note;
  const edits = await input.format.readEdits({
    subject: subjectOf(memory, input),
    existing: text,
    written: () => input.lastWritten(memory.vaultPath),
  });
  switch (edits.kind) {
    case "none":
    // What cannot be read back is reported where the note would be written.
    case "blocked":
      follow(note, input, draft);
      break;
    case "edits":
      take(note, { edits, closes: [] }, { input, draft });
      break;
    case "conflict":
      settle(note, edits, { input, draft });
  }
}

function follow({ memory, path }: NoteOnDisk, input: SyncInput, draft: Draft): void {
  if (path === memory.vaultPath) return;
  const after = reviseMemory(memory, { vaultPath: path });
  const step = vaultStep({
    memory,
    action: "note_moved",
    title: `Note moved: ${memory.vaultPath} → ${path}`,
    reason: "a person renamed or moved its note",
    changes: [{ kind: "memory.put", before: memory, after }],
    about: path,
  });
  if (!decide(step, input, draft)) draft.left.add(memoryKey(memory));
}

interface Where {
  readonly input: SyncInput;
  readonly draft: Draft;
}

function take(
  { memory, path, text }: NoteOnDisk,
  accepted: { readonly edits: EditedFields; readonly closes: DecidedProposal["changes"] },
  { input, draft }: Where,
): void {
  const { edits, closes } = accepted;
  const changes: MemoryChanges = {
    ...edits.changes,
    ...(path === memory.vaultPath ? {} : { vaultPath: path }),
    ...(edits.forget ? forgotten(input.view) : {}),
  };
  const key = memoryKey(memory);
  if (Object.keys(changes).length === 0 && closes.length === 0) {
    draft.taken.set(key, undefined);
    return;
  }
  const after = reviseMemory(memory, changes);
  const step = vaultStep({
    memory,
    action: "take_edits",
    title: `Take over from ${path}: ${edits.what.join(", ")}`,
    reason: `a person edited its note: ${edits.what.join(", ")}`,
    changes: [{ kind: "memory.put", before: memory, after }, ...closes],
    about: text,
  });
  if (decide(step, input, draft)) draft.taken.set(key, step.proposal.id);
  else draft.left.add(key);
}

function forgotten(view: View): MemoryChanges {
  return { status: "archived", archivedAt: view.now, archivedReason: "forgotten" };
}

/** Both changed: neither is written over, until a person approves the note's version or makes both the same. */
function settle(
  note: NoteOnDisk,
  edits: EditedFields & { readonly diff: string },
  where: Where,
): void {
  const { memory, path, text } = note;
  const { input, draft } = where;
  const what = edits.what.join(", ");
  const finding = findingOf(
    {
      memory,
      action: "note_conflict",
      title: `Note and memory both changed: ${path}`,
      reason: `a person edited the note (${what}), and the memory changed as well; approve to take the note's version, or make one like the other`,
      about: text,
      details: { path, diff: edits.diff },
    },
    input.view,
  );
  if (finding.standing === "approved") {
    take(note, { edits, closes: closing(finding.issue, input.view) }, where);
    return;
  }
  draft.decided.push(...finding.opened);
  draft.left.add(memoryKey(memory));
  follow(note, input, draft);
}

function reportCopies(
  { memory, copies }: { readonly memory: Noted; readonly copies: readonly string[] },
  input: SyncInput,
  draft: Draft,
): void {
  const named = copies.join(", ");
  draft.notes.push(
    `vault: ${named} ${copies.length > 1 ? "are copies" : "is a copy"} of ${memory.vaultPath}, which alone is kept up to date`,
  );
  const finding = findingOf(
    {
      memory,
      action: "note_copies",
      title: `Copies of a note: ${memory.vaultPath}`,
      reason: `a sync client or a person left ${named}; take what you need from there and delete it`,
      about: named,
      details: { path: memory.vaultPath, copies: [...copies] },
    },
    input.view,
  );
  draft.decided.push(...finding.opened);
}

/** Through the gate like every step, so that a policy may hold it for review. False: not now. */
function decide(step: DecidedProposal, input: SyncInput, draft: Draft): boolean {
  const decision = input.gate.decide(step.proposal);
  const why = "why" in decision ? { why: decision.why } : {};
  const changes = "changes" in decision ? decision.changes : [];
  draft.decided.push({ proposal: step.proposal, fate: decision.fate, changes, ...why });
  return decision.fate === "apply";
}
