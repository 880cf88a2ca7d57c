import { canonicalJson } from "../../model/json.ts";
import type { JournalEntry } from "../../model/run.ts";
import type { StoredRecord } from "../../ports/store-rules.ts";
import { isPut, keysOf } from "../changes.ts";

/** What other runs wrote since the run that is to be undone. */
export interface LaterRuns {
  /** Why a record is no longer as the run left it. */
  whyMoved(key: string, found: StoredRecord | null): string;
  /** True where a note's present text is a run's own, and so no person's edit. */
  isNoteOurs(path: string, text: string): boolean;
}

export function createLaterRuns(entries: readonly JournalEntry[]): LaterRuns {
  const images = new Map<string, { readonly image: string; readonly runId: string }>();
  const notes = new Map<string, Set<string>>();
  for (const { changes, runId } of entries) {
    for (const change of changes) {
      if (isPut(change)) {
        images.set(keysOf(change).join(), { image: canonicalJson(change.after), runId });
      } else if (change.kind === "note.put" && change.after !== null) {
        const texts = notes.get(change.path) ?? new Set();
        notes.set(change.path, texts.add(change.after.text));
      }
    }
  }
  return {
    whyMoved: (key, found) => {
      if (found === null) return "is not there any more";
      const later = images.get(key);
      return later?.image === canonicalJson(found)
        ? `was changed again by ${later.runId}: undo that first`
        : "was changed since the run";
    },
    isNoteOurs: (path, text) => notes.get(path)?.has(text) === true,
  };
}
