import type { Change } from "../../model/change.ts";
import { type Memory, reviseMemory } from "../../model/memory.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { JournalEntry } from "../../model/run.ts";
import type { Agent, AgentContext } from "../../ports/agent.ts";
import type { NoteVault, VaultFormat } from "../../ports/note-vault.ts";
import { foldCase } from "../../text/normalize.ts";
import { findRemoval, type Removal } from "./find-removal.ts";
import { type Traces, tracesOf } from "./traces.ts";

export const PURGE_AGENT = "purge";

/**
 * The first half of a purge, as a run of its own: what says the memory elsewhere is made anew without it, its note goes, and the vault's
 * other notes follow. Through the commit protocol, so that a kill leaves nothing half done and git gets its commit.
 */
export function createPurgeAgent(input: {
  readonly memory: Memory;
  readonly vault: NoteVault | undefined;
  readonly format: VaultFormat;
  readonly journal: readonly JournalEntry[];
}): Agent<never> {
  const { memory, vault, format, journal } = input;
  return {
    name: PURGE_AGENT,
    scan: async () => ({ items: [memory.id], scanned: 1, held: {}, notes: [] }),
    process: async (id, context) => {
      const current = context.view.memory(memory.namespace, id);
      if (current === undefined) return [{ kind: "held", itemId: id, reason: "gone" }];
      const removal = findRemoval(current, { view: context.view, journal });
      const changes = [
        ...memoryChanges(removal, context),
        ...removal.relations.map(undoneRelation),
        ...(await noteRemovals(removal, { vault, format })),
      ];
      if (changes.length === 0) return [{ kind: "held", itemId: id, reason: "nothing_left" }];
      return [proposalOf(memory, id, changes)];
    },
  };
}

function memoryChanges({ targets, merges }: Removal, { view }: AgentContext): readonly Change[] {
  const gone = targets
    .map((before) => ({ before, after: withoutNote(before, view.now) }))
    .filter(({ before, after }) => before !== after);
  return [...gone, ...merges].map(({ before, after }) => ({ kind: "memory.put", before, after }));
}

/** Out of sight, and without a note that a run would move to the archive. */
function withoutNote(memory: Memory, now: number): Memory {
  const isLive = memory.status !== "archived";
  if (!isLive && memory.vaultPath === undefined) return memory;
  return reviseMemory(memory, {
    ...(isLive ? { status: "archived", archivedAt: now, archivedReason: "forgotten" } : {}),
    vaultPath: undefined,
    promotedAt: undefined,
    promotedScore: undefined,
    promotedWhy: undefined,
  });
}

function undoneRelation(before: Removal["relations"][number]): Change {
  const after = { ...before, undone: true, revision: before.revision + 1 } as const;
  return { kind: "relation.put", before, after };
}

/** Their notes whole, with what a person wrote into them: the purge was shown, and asked for. */
async function noteRemovals(
  { paths, targets }: Removal,
  { vault, format }: { readonly vault: NoteVault | undefined; readonly format: VaultFormat },
): Promise<readonly Change[]> {
  const present = new Set(targets.map(({ vaultPath }) => vaultPath));
  const ids = new Set(targets.map(({ id }) => id));
  const changes: Change[] = [];
  for (const path of vault === undefined ? [] : paths) {
    const text = await vault?.read(path);
    if (text === undefined) continue;
    // Where it once had a note may be another's by now.
    const isTheirs = present.has(path) || ids.has(format.identify(text)?.id ?? "");
    if (isTheirs) changes.push({ kind: "note.put", path, before: { text }, after: null });
  }
  return changes;
}

/**
 * The second half for the vault: a note that was named after a removed sentence gets another name, and the links to it follow; its old
 * titles, which stay as aliases otherwise, go.
 */
export function createRenameAgent(input: {
  readonly namespace: string;
  readonly traces: Traces;
  readonly vault: NoteVault;
}): Agent<never> {
  const { namespace, traces, vault } = input;
  return {
    name: PURGE_AGENT,
    scan: async ({ view }) => {
      // Only merged memories take words over from others.
      const items = view
        .memories(namespace)
        .filter(({ leaves, vaultPath }) => leaves.length > 0 && vaultPath !== undefined)
        .map(({ id }) => id);
      return { items, scanned: items.length, held: {}, notes: [] };
    },
    process: async (id, { view, notes }) => {
      const before = view.memory(namespace, id);
      const text = await vault.read(before?.vaultPath ?? "");
      if (before?.vaultPath === undefined || text === undefined || notes === undefined) return [];
      const clean = { text: withoutAliases(text, traces) };
      if (!isNamedAfter(before, traces)) {
        if (clean.text === text) return [];
        const put = { path: before.vaultPath, before: { text }, after: clean };
        return [proposalOf(before, `clean:${id}`, [{ kind: "note.put", ...put }])];
      }
      const taken = new Set([...notes.takenPaths].map(foldCase));
      const vaultPath = notes.format.pathFor(before, (path) => taken.has(path));
      const after = reviseMemory(before, { vaultPath });
      return [
        proposalOf(before, `rename:${id}`, [
          { kind: "memory.put", before, after },
          { kind: "note.put", path: vaultPath, before: null, after: clean },
          { kind: "note.put", path: before.vaultPath, before: { text }, after: null },
        ]),
      ];
    },
  };
}

/** The lists of a note's properties, without what was taken from the removed. */
function withoutAliases(text: string, traces: Traces): string {
  const end = text.indexOf("\n---");
  if (!text.startsWith("---") || end < 0) return text;
  const lines = text.slice(0, end).split("\n");
  const kept = lines.filter((line) => {
    const item = /^\s*- (?<item>.*)$/u.exec(line)?.groups?.item;
    return item === undefined || !traces.isNamedIn(item);
  });
  return kept.length === lines.length ? text : kept.join("\n") + text.slice(end);
}

/** Its note's name says what it does not say any more. */
function isNamedAfter({ vaultPath, content }: Memory, traces: Traces): boolean {
  if (vaultPath === undefined) return false;
  const name = vaultPath.split("/").at(-1)?.replace(/\.md$/, "") ?? "";
  return traces.isNamedIn(name) && !tracesOf([content]).isNamedIn(name);
}

function proposalOf(
  { namespace }: Memory,
  subject: string,
  changes: readonly Change[],
): Outcome<never> {
  const finding = { title: `Purge ${subject}`, urgency: "low", members: [], scores: {} } as const;
  return {
    kind: "proposal",
    proposal: {
      ...{ id: `${PURGE_AGENT}:${subject}`, agent: PURGE_AGENT, namespace, action: PURGE_AGENT },
      ...{ results: [], confidence: 1, dependsOn: [], changes, finding },
      reason: "a person wants it gone for good",
    },
  };
}
