import { expect, test } from "vitest";
import { createPaint } from "../../../src/cli/paint.ts";
import { gateWords } from "../../../src/cli/reporters/gate-words.ts";
import { changeLines } from "../../../src/cli/reporters/proposal-lines.ts";
import type { Change } from "../../../src/model/change.ts";
import { reviseMemory } from "../../../src/model/memory.ts";
import type { Proposal } from "../../../src/model/proposal.ts";
import { aMemory, anIssue, aRelation } from "../../builders.ts";

const PLAIN = createPaint({ stdout: { write: () => undefined }, env: {} });

function aProposal(agent: string, changes: readonly Change[]): Proposal<unknown> {
  return {
    ...{ id: "p", agent, namespace: "default", action: "do_it", results: [], confidence: 1 },
    ...{ reason: "the same text", dependsOn: [], changes },
    finding: { title: "Something was found", urgency: "low", members: [], scores: {} },
  };
}

function archiving(id: string, content: string): Change {
  const before = aMemory({ id, content });
  const after = reviseMemory(before, { status: "archived", archivedReason: "merged" });
  return { kind: "memory.put", before, after };
}

test("a merge shows each sentence of the merged text with whose it is, beneath its sources", () => {
  const merged = aMemory({ id: "m3", content: "Tea. And scones.", leaves: ["m1", "m2"] });
  const lines = changeLines(
    aProposal("merge", [
      { kind: "memory.put", before: null, after: merged },
      archiving("m1", "Tea."),
      archiving("m2", "Tea. And scones."),
    ]),
    PLAIN,
  );
  expect(lines).toEqual([
    "merge 2 into m3 (the same text)",
    "- m1  Tea.",
    "- m2  Tea. And scones.",
    "+ Tea.  ← m1, m2 (kept once)",
    "+ And scones.  ← m2",
  ]);
});

test("a merge into a promoted memory shows the text that it had", () => {
  const before = aMemory({ id: "kept", content: "Tea.", status: "promoted" });
  const after = reviseMemory(before, { content: "Tea. And scones.", leaves: ["kept-1", "m2"] });
  const lines = changeLines(
    aProposal("merge", [{ kind: "memory.put", before, after }, archiving("m2", "And scones.")]),
    PLAIN,
  );
  expect(lines).toEqual([
    "merge 2 into kept (the same text)",
    "- kept  Tea.",
    "- m2  And scones.",
    "+ Tea.  ← kept",
    "+ And scones.  ← m2",
  ]);
});

test("archiving one memory is one line, archiving several a line each", () => {
  expect(changeLines(aProposal("decay", [archiving("m1", "Hi.")]), PLAIN)).toEqual([
    "archive m1  Hi.",
  ]);
  const several = [archiving("m1", "Hi."), archiving("m2", "Ho.")];
  expect(changeLines(aProposal("decay", several), PLAIN)).toEqual([
    "archive 2:",
    "m1  Hi.",
    "m2  Ho.",
  ]);
});

test("both directions of a link are one line", () => {
  const there: Change = { kind: "relation.put", before: null, after: aRelation() };
  const back: Change = {
    kind: "relation.put",
    before: null,
    after: aRelation({ id: "r2", from: "m2", to: "m1" }),
  };
  expect(changeLines(aProposal("relations", [there, back]), PLAIN)).toEqual([
    "link m1 ↔ m2 0.50 (the same text)",
  ]);
});

test.each(["merge", "promote", "decay", "relations", "cluster", "one of your own"])(
  "a step of %s that is of no known form tells its action and finding",
  (agent) => {
    const issue: Change = { kind: "issue.put", before: null, after: anIssue() };
    expect(changeLines(aProposal(agent, [issue]), PLAIN)).toEqual(["do it: Something was found"]);
  },
);

test("reasons of gates read as words, the most frequent first, unknown ones as they are", () => {
  expect(gateWords({ too_young: 12, never_used: 30, secret: 0, my_own_gate: 12 })).toBe(
    "30 never used, 12 my own gate, 12 too young",
  );
  expect(gateWords({})).toBe("");
});
