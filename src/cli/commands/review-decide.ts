import { issueView } from "../../api/memory-view.ts";
import { SlowwaveError } from "../../model/errors.ts";
import type { Issue } from "../../model/issue.ts";
import { personOf } from "../actor.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { type Paint, printable } from "../paint.ts";
import { carryOut } from "../review/carry-out.ts";
import { decideIssue, type Verdict } from "../review/decide-issue.ts";
import { withParts } from "../with-parts.ts";
import type { ReviewFlags } from "./review.ts";

export interface DecideFlags extends ReviewFlags {
  readonly reason?: string;
}

interface Undecided {
  readonly id: string;
  readonly message: string;
  readonly hint: string | null;
}

/** The same verdict on several issues. One that cannot be decided does not stop the rest. */
export async function decideIssues(
  context: CommandContext,
  {
    ids,
    kind,
    flags,
  }: {
    readonly ids: readonly string[];
    readonly kind: Verdict["kind"];
    readonly flags: DecideFlags;
  },
): Promise<CommandResult> {
  refuseFilters(flags, kind);
  const { reason } = flags;
  const verdict: Verdict = { kind, ...(reason === undefined ? {} : { reason }) };
  return await withParts(context, { mode: "write", create: false }, async (parts) => {
    const actor = { by: personOf(context.io, flags.by), at: parts.clock.now() };
    const decided: Issue[] = [];
    const failed: Undecided[] = [];
    for (const id of new Set(ids)) {
      // In turn: they are changes of one store.
      const outcome = await tryTo(id, () => decideIssue(id, verdict, { parts, actor }));
      if ("issue" in outcome) decided.push(outcome.issue);
      else failed.push(outcome);
    }
    const carried = await carryOut(decided, { parts, flags, signal: context.signal });
    return {
      document: { decided: decided.map(issueView), failed, runs: carried.documents },
      text: (paint) =>
        [
          ...decided.map(({ id }) => `${printable(id)} is ${WORDS[kind]}`),
          ...failed.map((one) => failureLine(one, paint)),
          ...carried.lines(paint),
        ].join("\n"),
      exitCode: failed.length > 0 && carried.exitCode === 0 ? 1 : carried.exitCode,
    };
  });
}

const WORDS = { approve: "approved", reject: "rejected" } as const;

/** They choose what is walked through; here the ids are given. */
function refuseFilters({ agent, urgency, limit }: DecideFlags, kind: Verdict["kind"]): void {
  const given = Object.entries({ agent, urgency, limit }).find(([, value]) => value !== undefined);
  if (given === undefined) return;
  throw new SlowwaveError("usage", `review ${kind} takes ids, not --${given[0]}`, {
    hint: "`slowwave review --json` lists the ids that a filter finds.",
  });
}

async function tryTo(
  id: string,
  take: () => Promise<Issue>,
): Promise<{ readonly issue: Issue } | Undecided> {
  try {
    return { issue: await take() };
  } catch (error) {
    if (!(error instanceof SlowwaveError)) throw error;
    return { id, message: error.message, hint: error.hint ?? null };
  }
}

function failureLine({ id, message, hint }: Undecided, paint: Paint): string {
  const text = `${id}: ${message}${hint === null ? "" : ` (${hint})`}`;
  return paint.red(printable(text));
}
