import { issueView } from "../../api/memory-view.ts";
import { HOUR_MS, toIso } from "../../model/instant.ts";
import type { Issue } from "../../model/issue.ts";
import type { IssueActor } from "../../ports/issue-tracker.ts";
import { issueNotFound } from "../../ports/tracker-rules.ts";
import type { Parts } from "../../wire.ts";
import { personOf } from "../actor.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { withParts } from "../with-parts.ts";

export interface IssueStepFlags {
  readonly by?: string;
  readonly reason?: string;
  readonly leaseHours?: number;
}

const LEASE_HOURS = 24;

/** A claim that others have is a normal answer, with exit code 1 for a script to go by. */
export async function claimIssue(
  context: CommandContext,
  id: string,
  flags: IssueStepFlags,
): Promise<CommandResult> {
  return await withParts(context, { mode: "write", create: false }, async (parts) => {
    const result = await parts.tracker.claim(id, {
      owner: personOf(context.io, flags.by),
      // Its own on every call, so that the same person's two terminals do not both believe that they have it.
      token: parts.system.randomToken(),
      now: parts.clock.now(),
      leaseMs: Math.round((flags.leaseHours ?? LEASE_HOURS) * HOUR_MS),
    });
    if (result.ok) {
      const until = toIso(result.issue.leaseUntil ?? parts.clock.now());
      return {
        document: { claimed: true, issue: issueView(result.issue) },
        text: () => `${printable(id)} is yours until ${until}`,
      };
    }
    if (result.why === "not_found") throw issueNotFound(id);
    const { why, holder } = result;
    const because =
      why === "held"
        ? `${printable(holder ?? "someone")} has it`
        : "it is closed or blocked (slowwave issues reopen)";
    return {
      document: { claimed: false, why, holder: holder ?? null },
      text: () => `${printable(id)} was not claimed: ${because}`,
      exitCode: 1,
    };
  });
}

export async function closeIssue(
  context: CommandContext,
  id: string,
  flags: IssueStepFlags,
): Promise<CommandResult> {
  return await step(context, flags, (parts, actor) =>
    parts.tracker.close(id, flags.reason ?? `closed by ${actor.by}`, actor),
  );
}

export async function approveIssue(
  context: CommandContext,
  id: string,
  flags: IssueStepFlags,
): Promise<CommandResult> {
  return await step(context, flags, (parts, actor) => parts.tracker.approve(id, actor));
}

export async function reopenIssue(
  context: CommandContext,
  id: string,
  flags: IssueStepFlags,
): Promise<CommandResult> {
  return await step(context, flags, (parts, actor) =>
    parts.tracker.reopen(id, flags.reason ?? `reopened by ${actor.by}`, actor),
  );
}

async function step(
  context: CommandContext,
  flags: IssueStepFlags,
  take: (parts: Parts, actor: IssueActor) => Promise<Issue>,
): Promise<CommandResult> {
  return await withParts(context, { mode: "write", create: false }, async (parts) => {
    const actor = { by: personOf(context.io, flags.by), at: parts.clock.now() };
    const issue = await take(parts, actor);
    return { document: { issue: issueView(issue) }, text: () => describe(issue) };
  });
}

function describe(issue: Issue): string {
  const id = printable(issue.id);
  if (issue.status === "closed") return `${id} is closed: ${printable(issue.closeReason ?? "")}`;
  const approved = issue.labels.includes("approved");
  return approved ? `${id} is approved: the next run carries it out` : `${id} is open`;
}
