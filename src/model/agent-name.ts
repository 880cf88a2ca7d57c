/** The five agents, in the order in which they run. The order itself lives in `agents/index.ts`. */
export const AGENT_NAMES = ["decay", "cluster", "merge", "promote", "relations"] as const;
export type BuiltInAgentName = (typeof AGENT_NAMES)[number];

/** A built-in agent, or the name of an agent of one's own. */
export type AgentName = string;
