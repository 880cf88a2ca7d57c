import type { Agent } from "../ports/agent.ts";
import type { AgentDeps } from "./agent-deps.ts";
import { createClusterAgent } from "./cluster/create-cluster-agent.ts";
import { createDecayAgent } from "./decay/create-decay-agent.ts";
import { createMergeAgent } from "./merge/create-merge-agent.ts";
import { createPromoteAgent } from "./promote/create-promote-agent.ts";
import { createRelationsAgent } from "./relations/create-relations-agent.ts";

/**
 * Fresh agents for one run, in the order in which they run: what is at risk is known before groups are formed, groups before they are
 * merged, and links are made once nothing moves any more.
 */
export function createAgents(deps: AgentDeps): readonly Agent<unknown>[] {
  return [
    createDecayAgent(),
    createClusterAgent(deps),
    createMergeAgent(deps),
    createPromoteAgent(deps),
    createRelationsAgent(),
  ];
}
