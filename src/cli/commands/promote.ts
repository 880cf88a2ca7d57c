import { findMemory } from "../../api/change-memory.ts";
import { runDepsOf } from "../../api/run-deps-of.ts";
import type { Memory } from "../../model/memory.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { Agent, AgentContext } from "../../ports/agent.ts";
import { runPipeline } from "../../scheduler/run-pipeline.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { gateWord } from "../reporters/gate-words.ts";
import { runResult } from "../reporters/run-result.ts";
import { withParts } from "../with-parts.ts";

export async function promoteById(context: CommandContext, id: string): Promise<CommandResult> {
  return await withParts(context, { mode: "write", create: false }, async (parts) => {
    const memory = await findMemory(parts, { id });
    const agents = (await parts.createAgents()).map((agent) => onlyFor(agent, memory));
    const report = await runPipeline(runDepsOf(parts, { agents }), {
      agent: "promote",
      forced: new Set([id]),
      signal: context.signal,
    });
    const result = runResult(report);
    if (report.agents.promote?.applied !== 0) return result;
    const why = whyNot(memory, report);
    return { ...result, text: () => `${printable(id)} was not promoted: ${why}`, exitCode: 1 };
  });
}

/** What else is due waits for the next run: a person asked for this one. */
function onlyFor(agent: Agent<unknown>, memory: Memory): Agent<unknown> {
  const narrow = (context: AgentContext): AgentContext => ({
    ...context,
    inScope: (other) =>
      other.id === memory.id && other.namespace === memory.namespace && context.inScope(other),
  });
  return {
    name: agent.name,
    scan: (context) => agent.scan(narrow(context)),
    process: (itemId, context) => agent.process(itemId, narrow(context)),
  };
}

function whyNot(memory: Memory, { agents, notes }: RunReport): string {
  if (memory.status !== "active") return `it is ${memory.status}`;
  const [gate] = Object.keys(agents.promote?.gates ?? {});
  if (gate !== undefined) return gateWord(gate);
  return notes.map(printable).join("; ") || "its proposal was refused";
}
