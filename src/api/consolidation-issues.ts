import { fingerprintOf, type Issue, type IssueStatus, type Urgency } from "../model/issue.ts";
import { DEFAULT_NAMESPACE } from "../model/memory.ts";
import type { Parts } from "../wire.ts";

/** CortexGraph's issue helpers. */
export interface ConsolidationIssues {
  /** Returns the issue's id; the same finding returns the issue that is there. */
  createConsolidationIssue(issue: {
    readonly agent: string;
    readonly memoryIds: readonly string[];
    readonly action: string;
    readonly urgency: Urgency;
    readonly reason?: string;
    readonly namespace?: string;
  }): Promise<string>;
  /** Most urgent first. Complete, or throws. */
  queryConsolidationIssues(query?: {
    readonly agent?: string;
    readonly status?: IssueStatus;
    readonly urgency?: Urgency;
    readonly limit?: number;
  }): Promise<readonly Issue[]>;
  /** True for exactly one of parallel claimers; false where it is held, closed, blocked or not there. The claim lasts an hour. */
  claimIssue(id: string): Promise<boolean>;
  closeIssue(id: string, reason: string): Promise<void>;
  blockIssue(id: string, error: string): Promise<void>;
}

const CLAIM_MS = 3_600_000;

/** `by` names who acts, for example `person:library`: a close by a person declines the finding, unless it is approved. */
export function createConsolidationIssues(parts: Parts, by: string): ConsolidationIssues {
  const { tracker, clock } = parts;
  const actor = () => ({ by, at: clock.now() });
  return {
    createConsolidationIssue: async (issue) => await createIn(parts, issue, by),
    queryConsolidationIssues: async ({ status, ...query } = {}) =>
      await tracker.query({ ...query, ...(status ? { status: [status] } : {}) }),
    claimIssue: async (id) => {
      const token = parts.system.randomToken();
      const result = await tracker.claim(id, {
        owner: by,
        token,
        now: clock.now(),
        leaseMs: CLAIM_MS,
      });
      return result.ok;
    },
    closeIssue: async (id, reason) => {
      await tracker.close(id, reason, actor());
    },
    blockIssue: async (id, error) => {
      await tracker.block(id, error, actor());
    },
  };
}

async function createIn(
  parts: Parts,
  issue: Parameters<ConsolidationIssues["createConsolidationIssue"]>[0],
  by: string,
): Promise<string> {
  const { agent, action, urgency, memoryIds } = issue;
  const namespace = issue.namespace ?? parts.config.namespace ?? DEFAULT_NAMESPACE;
  const memories = await parts.store.read("memory", { namespace, ids: memoryIds });
  const contents = new Map(memories.map((memory) => [memory.id, memory.content]));
  const members = memoryIds.map((id) => ({ id, content: contents.get(id) ?? "" }));
  const noun = memoryIds.length === 1 ? "memory" : "memories";
  const reason = issue.reason ?? "filed by hand";
  const created = await parts.tracker.create(
    {
      namespace,
      title: `${agent}: ${action} ${memoryIds.length} ${noun}`,
      fingerprint: fingerprintOf({ agent, namespace, action, members }),
      notes: { agent, action, memoryIds, urgency, reason, scores: {}, details: {} },
    },
    { by, at: parts.clock.now() },
  );
  return created.issue.id;
}
