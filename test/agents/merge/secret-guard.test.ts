import { beforeAll, expect, test } from "vitest";
import { createClusterAgent } from "../../../src/agents/cluster/create-cluster-agent.ts";
import { createMergeAgent } from "../../../src/agents/merge/create-merge-agent.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import { withMergedText } from "../../../src/model/issue.ts";
import { isLive } from "../../../src/model/memory.ts";
import { aMemory } from "../../builders.ts";
import { KNOWN_SECRETS } from "../../known-secrets.ts";
import { type RealDeps, realDeps } from "../real-deps.ts";
import { applyAll, contextOf, NOW, runAgent, workspaceOf } from "../view-of.ts";

// Reading the table takes most of a second, and nothing changes it.
let deps: RealDeps;
beforeAll(async () => {
  deps = await realDeps();
});

const PLAIN = "Kim deploys the ledger service from the blue laptop.";

test.each([
  ["text", { content: `${PLAIN} It signs in with ${KNOWN_SECRETS[1][1]} there.` }],
  ["source", { content: PLAIN, source: KNOWN_SECRETS[1][1] }],
  ["tag", { content: PLAIN, tags: [KNOWN_SECRETS[1][1]] }],
])(
  "a secret in the %s of a memory is not merged into a note, and the issue says so once",
  async (_where, fields) => {
    const memories = [
      aMemory({
        id: "note",
        content: PLAIN,
        status: "promoted",
        vaultPath: "N.md",
        promotedAt: NOW - DAY_MS,
      }),
      aMemory({ id: "secret", ...fields }),
    ];
    const workspace = workspaceOf({ embedder: deps.embedder, memories });
    const clustered = await runAgent(createClusterAgent(deps), contextOf(workspace));
    applyAll(workspace, clustered.proposals);
    const merge = async () => {
      const run = await runAgent(createMergeAgent(deps), contextOf(workspace));
      applyAll(workspace, run.proposals);
      return run;
    };
    const run = await merge();
    expect(run.held).toEqual({ secret: 1 });
    const [issue] = workspace.view.issues();
    expect(issue).toMatchObject({ status: "open" });
    expect(issue?.comments.map(({ text }) => text)).toEqual([
      expect.stringContaining("one of the memories holds a secret"),
    ]);
    expect(JSON.stringify(issue)).not.toContain(KNOWN_SECRETS[1][1]);
    expect(workspace.view.memories("default").filter(isLive)).toEqual(memories);
    expect((await merge()).proposals).toEqual([]);
  },
);

test("no text that a person wrote of a memory with a secret is taken: it would stand in the issue", async () => {
  const memories = [
    aMemory({ id: "a", content: `${PLAIN} It signs in with ${KNOWN_SECRETS[1][1]} there.` }),
    aMemory({ id: "b", content: PLAIN }),
  ];
  const workspace = workspaceOf({ embedder: deps.embedder, memories });
  const clustered = await runAgent(createClusterAgent(deps), contextOf(workspace));
  applyAll(workspace, clustered.proposals);
  const [issue] = workspace.view.issues();
  if (issue === undefined) throw new Error("no issue was opened");
  const text = memories.map(({ content }) => content).join("\n");
  const issues = [withMergedText({ ...issue, labels: [...issue.labels, "approved"] }, text)];
  const next = workspaceOf({ embedder: deps.embedder, memories, issues });
  const run = await runAgent(createMergeAgent(deps), contextOf(next));
  expect([run.held, run.proposals]).toEqual([{ secret: 1 }, []]);
});
