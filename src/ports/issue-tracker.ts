import type { Instant } from "../model/instant.ts";
import type { Issue, IssueStatus, NewIssue, Urgency } from "../model/issue.ts";

export interface IssueQuery {
  readonly namespace?: string;
  readonly agent?: string;
  readonly status?: readonly IssueStatus[];
  readonly urgency?: Urgency;
  /** All of them. */
  readonly labels?: readonly string[];
  readonly fingerprint?: string;
  readonly limit?: number;
}

export interface ClaimRequest {
  readonly owner: string;
  readonly token: string;
  readonly now: Instant;
  readonly leaseMs: number;
}

export type ClaimResult =
  | { readonly ok: true; readonly issue: Issue }
  | {
      readonly ok: false;
      readonly why: "held" | "not_claimable" | "not_found";
      readonly holder?: string;
    };

/** `duplicate`: another issue of the same finding is not closed. `older`: what is there was changed at the same time or later. */
export type ReceiveOutcome = "added" | "updated" | "unchanged" | "older" | "duplicate";

/** Says who acts (`person:<name>` or `agent:<name>`) and when. */
export interface IssueActor {
  readonly by: string;
  readonly at: Instant;
}

export interface ApprovalHow {
  /** What a merge is to say, in a person's words. The agent verifies it again. */
  readonly mergedText?: string;
}

/**
 * Where work that waits is kept. Every method either answers completely or throws `SlowwaveError("tracker")`; an empty list means there
 * is nothing. Ids that do not exist throw `not_found`.
 */
export interface IssueTracker {
  readonly kind: "embedded" | "memory" | "beads";
  /** Unique by fingerprint among issues that are not closed: the same finding returns the issue that is there. */
  create(
    issue: NewIssue,
    actor: IssueActor,
  ): Promise<{ readonly issue: Issue; readonly created: boolean }>;
  get(id: string): Promise<Issue | undefined>;
  /** Matching issues, most urgent first, then oldest, then by id. */
  query(query: IssueQuery): Promise<readonly Issue[]>;
  /** Of parallel claims exactly one succeeds. Only open issues, or claims whose lease has run out, can be claimed. */
  claim(id: string, request: ClaimRequest): Promise<ClaimResult>;
  close(id: string, reason: string, actor: IssueActor): Promise<Issue>;
  block(id: string, reason: string, actor: IssueActor): Promise<Issue>;
  reopen(id: string, reason: string, actor: IssueActor): Promise<Issue>;
  /** Adds the label `approved`: the next run carries the finding out; `mergedText`: in these words. */
  approve(id: string, actor: IssueActor, how?: ApprovalHow): Promise<Issue>;
  comment(id: string, text: string, actor: IssueActor): Promise<Issue>;
  /**
   * Takes in an issue from elsewhere as it is; of two states of one issue the later changed one stays. `change` is then laid over what
   * stands, and must give back the very issue where it has nothing to change.
   */
  receive(issue: Issue, change?: (issue: Issue) => Issue): Promise<ReceiveOutcome>;
}

/** An issue as a tracker outside of the store has it. */
export interface MirroredIssue {
  /** As slowwave wrote it last. */
  readonly record: Issue;
  /** The operation by which it was written, where a run wrote it. */
  readonly op: string | undefined;
  /** Lays over an issue what people did to it there since; the issue itself where that is nothing. */
  change(issue: Issue): Issue;
}

/**
 * A tracker outside of the store. Runs decide upon the store's own issues; what people did outside is read before, and what became of the
 * issues is written after.
 */
export interface IssueMirror {
  /** Every issue of this store, closed ones too. Complete, or throws `SlowwaveError("tracker")`. */
  readAll(): Promise<readonly MirroredIssue[]>;
  /**
   * Writes what `decide` makes of what is there, in one step; `op` is kept with each. Decided anew where somebody changed one of them
   * meanwhile.
   */
  writeAll(
    decide: (
      found: readonly MirroredIssue[],
    ) => readonly { readonly issue: Issue; readonly op: string }[],
  ): Promise<void>;
}
