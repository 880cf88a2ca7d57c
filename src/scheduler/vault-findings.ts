import type { Change } from "../model/change.ts";
import { hashText } from "../model/hash.ts";
import {
  closeIssueRecord,
  createIssue,
  type FindingMember,
  fingerprintOf,
  type Issue,
  type IssueStanding,
  standingOf,
} from "../model/issue.ts";
import type { JsonValue } from "../model/json.ts";
import type { Memory } from "../model/memory.ts";
import type { View } from "../ports/view.ts";
import type { DecidedProposal } from "./plan.ts";

/** The name under which steps of the vault itself stand in reports and journal. */
export const VAULT_AGENT = "vault";

/** A step of the vault about one memory. */
export function vaultStep(step: {
  readonly memory: Memory;
  readonly action: string;
  readonly title: string;
  readonly reason: string;
  readonly changes: readonly Change[];
  readonly dependsOn?: readonly string[];
  /** What it is about besides the memory: a step that was undone is not taken again about the same. */
  readonly about?: string;
}): DecidedProposal {
  const { memory, action, title, reason, changes, dependsOn = [], about } = step;
  return {
    proposal: {
      id: `${VAULT_AGENT}:${action}:${memory.namespace}:${memory.id}`,
      agent: VAULT_AGENT,
      namespace: memory.namespace,
      action,
      results: [],
      confidence: 1,
      reason,
      dependsOn,
      changes,
      finding: { title, urgency: "low", members: [memberOf(memory, about)], scores: {} },
    },
    fate: "apply",
    changes,
  };
}

function memberOf({ id, content }: Memory, about: string | undefined): FindingMember {
  return { id, content: about === undefined ? content : `${content}\0${hashText(about)}` };
}

export interface VaultFinding {
  readonly memory: Memory;
  readonly action: string;
  readonly title: string;
  readonly reason: string;
  /** What it is about besides the memory, such as the note as it stands: another edit is another finding. */
  readonly about?: string;
  readonly details: Readonly<Record<string, JsonValue>>;
}

/** What a person is to decide: an issue, opened once. */
export function findingOf(
  finding: VaultFinding,
  view: View,
): {
  readonly standing: IssueStanding;
  readonly issue: Issue | undefined;
  readonly opened: readonly DecidedProposal[];
} {
  const { memory, action, title, reason, details } = finding;
  const fingerprint = fingerprintOf({
    agent: VAULT_AGENT,
    namespace: memory.namespace,
    action,
    members: [memberOf(memory, finding.about)],
  });
  const issue = view.issueByFingerprint(fingerprint);
  const standing = standingOf(issue);
  if (standing !== "none") return { standing, issue, opened: [] };
  const fresh = createIssue(
    {
      namespace: memory.namespace,
      title,
      fingerprint,
      notes: {
        agent: VAULT_AGENT,
        action,
        memoryIds: [memory.id],
        urgency: "medium",
        reason,
        scores: {},
        details,
      },
    },
    view.now,
  );
  const changes: readonly Change[] = [{ kind: "issue.put", before: null, after: fresh }];
  const opened = vaultStep({ memory, action: "open_issue", title, reason, changes });
  const id = `${VAULT_AGENT}:${action}:${memory.namespace}:${memory.id}`;
  return {
    standing,
    issue: undefined,
    opened: [{ ...opened, proposal: { ...opened.proposal, id } }],
  };
}

/**
 * Keeps a memory from being promoted again until its text changes: its promotion counts as declined by the person who deleted the note.
 */
export function declinePromotion(memory: Memory, view: View): readonly Change[] {
  const fingerprint = fingerprintOf({
    agent: "promote",
    namespace: memory.namespace,
    action: "promote",
    members: [memory],
  });
  const before = view.issueByFingerprint(fingerprint);
  if (standingOf(before) === "declined") return [];
  const fresh = createIssue(
    {
      namespace: memory.namespace,
      title: `Note deleted: ${memory.vaultPath ?? memory.id}`,
      fingerprint,
      notes: {
        agent: "promote",
        action: "promote",
        memoryIds: [memory.id],
        urgency: "low",
        reason: "a person deleted its note",
        scores: {},
        details: memory.vaultPath === undefined ? {} : { path: memory.vaultPath },
      },
    },
    view.now,
  );
  const closed = closeIssueRecord(fresh, {
    reason: "its note was deleted from the vault",
    by: "person:vault",
    at: view.now,
  });
  const after =
    before === undefined
      ? { ...closed, revision: 1 }
      : {
          ...closed,
          createdAt: before.createdAt,
          comments: [...before.comments, ...closed.comments],
          revision: before.revision + 1,
        };
  return [{ kind: "issue.put", before: before ?? null, after }];
}

/** The closing of an issue whose decision was carried out. */
export function closing(issue: Issue | undefined, view: View): readonly Change[] {
  if (issue === undefined || issue.status === "closed") return [];
  const after = closeIssueRecord(issue, {
    reason: "approved and applied",
    by: `agent:${VAULT_AGENT}`,
    at: view.now,
  });
  return [{ kind: "issue.put", before: issue, after }];
}
