import { SlowwaveError } from "../../model/errors.ts";
import type { Issue } from "../../model/issue.ts";
import type { IssueActor } from "../../ports/issue-tracker.ts";
import { issueNotFound } from "../../ports/tracker-rules.ts";
import type { Parts } from "../../wire.ts";
import { carrierOf } from "./preview-approval.ts";

export type Verdict =
  | {
      readonly kind: "approve";
      readonly reason?: string;
      /** What the merge is to say. */
      readonly mergedText?: string;
    }
  | { readonly kind: "reject"; readonly reason?: string };

/**
 * Keeps a verdict where the next run reads it: as the label `approved`, or as a close by a person, each with a comment.
 * @throws SlowwaveError `not_found`; `tracker` where it is closed already, or where nobody carries an approval out.
 */
export async function decideIssue(
  id: string,
  verdict: Verdict,
  { parts, actor }: { readonly parts: Parts; readonly actor: IssueActor },
): Promise<Issue> {
  const { tracker } = parts;
  const issue = await tracker.get(id);
  if (issue === undefined) throw issueNotFound(id);
  if (issue.status === "closed") {
    throw new SlowwaveError(
      "tracker",
      `it is closed already: ${issue.closeReason ?? "no reason"}`,
      {
        hint: `slowwave issues reopen ${id}`,
      },
    );
  }
  const reason = verdict.reason === "" ? undefined : verdict.reason;
  switch (verdict.kind) {
    case "approve": {
      if (carrierOf(issue) === undefined) throw nobodyActs(issue);
      const { mergedText } = verdict;
      const how = mergedText === undefined ? {} : { mergedText };
      const approved = await tracker.approve(id, actor, how);
      return reason === undefined ? approved : await tracker.comment(id, reason, actor);
    }
    case "reject":
      return await tracker.close(id, reason ?? `rejected by ${actor.by}`, actor);
  }
}

function nobodyActs({ notes }: Issue): SlowwaveError {
  return new SlowwaveError("tracker", `nothing carries out an approved ${notes.action}`, {
    hint: "Change or forget what is wrong, or reject it.",
  });
}
