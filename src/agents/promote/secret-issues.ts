import {
  fingerprintOf,
  type Issue,
  type NewIssue,
  OPEN_ISSUE,
  standingOf,
} from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { PromotionResult } from "../../model/results.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { findSecrets, type SecretKind } from "../../text/secrets.ts";
import { type Allowance, isClaimed, openIssueChange } from "../issue-steps.ts";
import { proposeClosing } from "../propose-closing.ts";
import { hold, proposed } from "../proposing.ts";

const ACTION = "secret";

/** All that a note would show of a memory. */
export function writtenOf(memory: Memory): string {
  const { content, context = "", source = "", tags, entities } = memory;
  return [content, context, source, ...tags, ...entities].join("\n");
}

/** Tells a person that a memory was held back, and which kind of secret it holds; never the secret, nor any word around it. */
export function proposeSecretIssue(
  memory: Memory,
  { context, allow }: { readonly context: AgentContext; readonly allow: Allowance },
): readonly Outcome<PromotionResult>[] {
  const issue = issueFor(memory);
  const standing = standingOf(context.view.issueByFingerprint(issue.fingerprint));
  if (standing === "declined") return [];
  const change = openIssueChange(issue, context.view);
  if (change === undefined) return [];
  if (!allow()) return [hold(memory.id, "issues_capped")];
  return [
    proposed({
      agent: "promote",
      namespace: memory.namespace,
      action: OPEN_ISSUE,
      subject: issue.fingerprint,
      results: [],
      confidence: 1,
      reason: issue.notes.reason,
      changes: [change],
      finding: { title: issue.title, urgency: "medium", members: [memory], scores: {} },
    }),
  ];
}

function issueFor(memory: Memory): NewIssue {
  const { id, namespace } = memory;
  const written = writtenOf(memory);
  const kinds = [...new Set(findSecrets(written).map(({ kind }) => kind))].sort();
  const named = kinds.map((kind: SecretKind) => kind.replaceAll("_", " ")).join(", ");
  return {
    namespace,
    title: `Not promoted, it holds a secret: ${id}`,
    fingerprint: fingerprintOf({
      agent: "promote",
      namespace,
      action: ACTION,
      members: [{ id, content: written }],
    }),
    notes: {
      agent: "promote",
      action: ACTION,
      memoryIds: [id],
      urgency: "medium",
      reason: `It holds a secret (${named}), so no note is written of it. Edit the memory without it, and replace the credential if it is in use.`,
      scores: {},
      details: { kinds },
    },
  };
}

/** Issues whose memory has no secret any more, another one, or is gone. */
export function findSettledSecrets({ view, inScope }: AgentContext): readonly Issue[] {
  return view.issues().filter((issue) => {
    const { agent, action, memoryIds } = issue.notes;
    const [id] = memoryIds;
    if (agent !== "promote" || action !== ACTION || id === undefined) return false;
    if (issue.status === "closed" || isClaimed(issue, view.now)) return false;
    const memory = view.memory(issue.namespace, id);
    if (memory?.status !== "active") return true;
    if (!inScope(memory)) return false;
    const isClean = findSecrets(writtenOf(memory)).length === 0;
    return isClean || issueFor(memory).fingerprint !== issue.fingerprint;
  });
}

export function closeSecretIssue(issue: Issue, now: number): Outcome<PromotionResult> {
  const reason = "the memory does not hold that secret any more";
  return proposeClosing(issue, { agent: "promote", reason, at: now });
}
