import { SlowwaveError } from "../model/errors.ts";
import type { Progress } from "../ports/progress.ts";

/** One thing that was looked at. */
export interface Finding {
  readonly check: string;
  /** False: something is broken, and a nightly run fails or leaves work undone because of it. */
  readonly ok: boolean;
  readonly detail: string;
  /** What to do. With `ok: true` it is advice. */
  readonly fix: string | null;
}

export function fine(check: string, detail: string): Finding {
  return { check, ok: true, detail, fix: null };
}

export function advise(check: string, detail: string, fix: string): Finding {
  return { check, ok: true, detail, fix };
}

export function broken(check: string, detail: string, fix: string): Finding {
  return { check, ok: false, detail, fix };
}

/** A predicted failure as a finding, with its own hint; a bug is thrown on. */
export function brokenBy(check: string, error: unknown): Finding {
  if (!(error instanceof SlowwaveError)) throw error;
  const cause = error.cause instanceof Error ? ` (${error.cause.message.split("\n")[0]})` : "";
  return broken(check, error.message + cause, error.hint ?? "See what it says.");
}

/** Keeps what is noted on the way, for findings to tell; bars are nothing for a check. */
export function notesInto(notes: string[]): Progress {
  return {
    start: () => undefined,
    advance: () => undefined,
    finish: () => undefined,
    note: (note) => notes.push(note),
  };
}
