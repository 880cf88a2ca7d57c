import { reviseMemory } from "../../src/model/memory.ts";
import type { Agent } from "../../src/ports/agent.ts";

/** An agent of one's own that promotes every active memory which is tagged `keep`. */
export function promotingAgent(): Agent<{ memoryId: string }> {
  return {
    name: "promote",
    scan: async ({ view, notesUnavailable }) => {
      const all = view.memories("default").filter((memory) => memory.status === "active");
      const wanted = all.filter((memory) => memory.tags.includes("keep"));
      const items = notesUnavailable === undefined ? wanted.map((memory) => memory.id) : [];
      const held = notesUnavailable === undefined ? {} : { no_vault: wanted.length };
      return {
        items,
        scanned: all.length,
        held,
        notes: notesUnavailable ? [notesUnavailable] : [],
      };
    },
    process: async (itemId, { view, notes }) => {
      const memory = view.memory("default", itemId);
      if (memory === undefined || notes === undefined)
        return [{ kind: "held", itemId, reason: "gone" }];
      const vaultPath = notes.format.pathFor(memory, (path) => notes.takenPaths.has(path));
      const after = reviseMemory(memory, { status: "promoted", promotedAt: view.now, vaultPath });
      const proposal = {
        id: `promote:${memory.id}`,
        agent: "promote",
        namespace: memory.namespace,
        action: "promote",
        results: [{ memoryId: memory.id }],
        confidence: 1,
        reason: "kept",
        dependsOn: [],
        changes: [{ kind: "memory.put", before: memory, after }],
        finding: { title: `Promote ${memory.id}`, urgency: "low", members: [memory], scores: {} },
      } as const;
      return [{ kind: "proposal", proposal }];
    },
  };
}
