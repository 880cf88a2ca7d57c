import type { Issue } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { MergeResult } from "../../model/results.ts";
import { findSecrets } from "../../text/secrets.ts";
import { holdsSecret } from "../excerpt.ts";
import { writtenOf } from "../promote/secret-issues.ts";
import { hold } from "../proposing.ts";
import type { MergeSources } from "./merge-sources.ts";
import { noteInIssue } from "./note-in-issue.ts";

/** A note would tell what another source keeps to itself. */
export function wouldShowSecret({ survivor, sources, leaves }: MergeSources): boolean {
  if (survivor?.vaultPath === undefined) return false;
  const others = [...sources, ...leaves.map(({ record }) => record)];
  return others.some((memory) => findSecrets(writtenOf(memory)).length > 0);
}

export function holdSecret(issue: Issue, now: number): readonly Outcome<MergeResult>[] {
  const held = hold(issue.id, "secret");
  if (issue.notes.details.held === "secret") return [held];
  const text =
    "not merged: one of the memories holds a secret, which the note of another would show. Edit the memory without it.";
  const note = { action: "note_secret", text, details: { held: "secret" }, at: now };
  return [noteInIssue(issue, note), held];
}

export function hasSecret(records: readonly Memory[]): boolean {
  return records.some(({ content }) => holdsSecret(content));
}
