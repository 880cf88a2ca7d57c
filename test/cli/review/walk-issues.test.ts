import { expect, test } from "vitest";
import { createPaint } from "../../../src/cli/paint.ts";
import type { Verdict } from "../../../src/cli/review/decide-issue.ts";
import type { ApprovalPreview } from "../../../src/cli/review/preview-approval.ts";
import type { ReviewTerminal } from "../../../src/cli/review/review-terminal.ts";
import { type Walk, walkIssues } from "../../../src/cli/review/walk-issues.ts";
import { SlowwaveError } from "../../../src/model/errors.ts";
import { type Issue, mergedTextOf } from "../../../src/model/issue.ts";
import { aMemory, anIssue, BUILT_AT } from "../../builders.ts";

const PLAIN = createPaint({ stdout: { write: () => undefined }, env: {} });
const NOTHING: ApprovalPreview = { kind: "nothing", agent: "merge", why: "they changed" };

/** A walk over three issues, with keys and answers given beforehand. */
function aWalk(keys: readonly string[], fields: Partial<Walk> & { answer?: string } = {}) {
  const left = [...keys];
  const written: string[] = [];
  const verdicts: string[] = [];
  const terminal: ReviewTerminal = {
    columns: () => 80,
    write: (text) => void written.push(text),
    readKey: async () => left.shift() ?? "end",
    ask: async () => fields.answer,
    close: () => undefined,
  };
  const memories = [
    aMemory({ content: "Take 5 mg." }),
    aMemory({ id: "m2", content: "Take 10 mg." }),
  ];
  const walk: Walk = {
    waiting: ["sw-1", "sw-2", "sw-3"].map((id) => ({ issue: anIssue({ id }), memories })),
    terminal,
    paint: PLAIN,
    now: BUILT_AT,
    preview: async () => NOTHING,
    edit: async () => ({ kind: "none", why: "nothing was changed" }),
    decide: async (issue, verdict: Verdict) => {
      verdicts.push(`${verdict.kind} ${issue.id} ${verdict.reason ?? ""}`.trim());
      return issue;
    },
    ...fields,
  };
  return { walk, verdicts, left, text: () => written.join("") };
}

test("walkIssues keeps each verdict as it is given, and skips what is skipped", async () => {
  const { walk, verdicts } = aWalk(["a", "s", "r"], { answer: " two facts " });
  const result = await walkIssues(walk);
  expect(verdicts).toEqual(["approve sw-1", "reject sw-3 two facts"]);
  expect(result).toMatchObject({ skipped: 1, isInterrupted: false });
  expect(result.decided.map(({ id }) => id)).toEqual(["sw-1", "sw-3"]);
});

test("walkIssues shows the texts side by side, why it waits and what approving would do", async () => {
  const { walk, text } = aWalk(["q"]);
  await walkIssues(walk);
  expect(text()).toContain("1 of 3");
  expect(text()).toContain("alike, not the same");
  expect(text()).toMatch(/Take 5 mg\. +≠ Take 10 mg\./);
  expect(text()).toContain("Approving changes nothing: they changed.");
  expect(text()).not.toContain("2 of 3");
});

test.each([
  ["q", false],
  ["end", false],
  ["ctrl-c", true],
])("the key %s leaves, and what was decided stays", async (key, isInterrupted) => {
  const { walk, verdicts } = aWalk(["a", key, "a"]);
  expect(await walkIssues(walk)).toMatchObject({ decided: [{ id: "sw-1" }], isInterrupted });
  expect(verdicts).toEqual(["approve sw-1"]);
});

test("a key without a meaning is asked for again", async () => {
  const { walk, verdicts, left } = aWalk(["x", "return", "a", "q"]);
  await walkIssues(walk);
  expect(verdicts).toEqual(["approve sw-1"]);
  expect(left).toEqual([]);
});

test("an interrupted question for the reason goes back to the choice", async () => {
  const { walk, verdicts } = aWalk(["r", "s", "q"]);
  expect(await walkIssues(walk)).toMatchObject({ decided: [], skipped: 1 });
  expect(verdicts).toEqual([]);
});

test("what nobody carries out is not offered for approval", async () => {
  const preview = async (): Promise<ApprovalPreview> => ({ ...NOTHING, agent: undefined });
  const { walk, verdicts, text } = aWalk(["a", "q"], { preview });
  await walkIssues(walk);
  expect(verdicts).toEqual([]);
  expect(text()).not.toContain("[a]pprove");
});

test("a verdict that cannot be kept is told, and the walk goes on", async () => {
  const decide = async () => {
    throw new SlowwaveError("tracker", "it is closed already: merged");
  };
  const { walk, text } = aWalk(["a", "s", "s"], { decide });
  expect(await walkIssues(walk)).toMatchObject({ decided: [], skipped: 3 });
  expect(text()).toContain("it is closed already: merged");
});

test("a memory's control characters never reach the terminal", async () => {
  const { walk, text } = aWalk(["q"]);
  const evil = aMemory({ id: "m\u001b[1m", content: "a\u001b[2J\u0007b" });
  const issue = anIssue({
    title: "t\u001b[31m",
    notes: { ...anIssue().notes, reason: "r\u001bc" },
  });
  await walkIssues({ ...walk, waiting: [{ issue, memories: [evil, aMemory({ id: "m2" })] }] });
  expect(text()).not.toContain("\u001b");
});

/** Merges two into the text it is asked for; a text that adds "nonsense" is refused. */
function aMergePreview(issue: Issue): ApprovalPreview {
  const content = mergedTextOf(issue) ?? "Take 5 mg. Take 10 mg.";
  if (content.includes("nonsense")) {
    return {
      kind: "nothing",
      agent: "merge",
      why: 'a merge would add "nonsense": no source says this',
    };
  }
  const after = aMemory({ id: "mem-1", content, leaves: ["a", "b"] });
  const proposal = {
    ...aProposal(),
    changes: [{ kind: "memory.put", before: null, after }] as const,
  };
  return { kind: "changes", agent: "merge", proposal };
}

function aProposal() {
  const finding = { title: "merge", urgency: "low", members: [], scores: {} } as const;
  return {
    ...{ id: "p-1", agent: "merge", namespace: "default", action: "merge", results: [] },
    ...{ confidence: 1, reason: "alike", dependsOn: [], finding },
  };
}

test("an edited text is shown as it will be, and approved with the issue", async () => {
  const kept: Verdict[] = [];
  const edits: string[] = [];
  const { walk, text } = aWalk(["e", "a", "q"], {
    preview: async (issue) => aMergePreview(issue),
    edit: async (given) => {
      edits.push(given);
      return { kind: "edited", text: "Take 10 mg. Take 5 mg." };
    },
    decide: async (issue, verdict) => {
      kept.push(verdict);
      return issue;
    },
  });
  await walkIssues(walk);
  expect(edits).toEqual(["Take 5 mg. Take 10 mg."]);
  expect(text()).toContain("[a]pprove  [e]dit  [r]eject");
  expect(text()).toContain("Take 10 mg. Take 5 mg.");
  expect(kept).toEqual([{ kind: "approve", mergedText: "Take 10 mg. Take 5 mg." }]);
});

test("a text that the agent would not take is told in words, edited on, and never approved by itself", async () => {
  const kept: Verdict[] = [];
  const edits: string[] = [];
  const texts = ["Take nonsense.", undefined];
  const { walk, text } = aWalk(["e", "e", "a", "q"], {
    preview: async (issue) => aMergePreview(issue),
    edit: async (given) => {
      edits.push(given);
      const next = texts.shift();
      return next === undefined
        ? { kind: "none", why: "nothing was changed" }
        : { kind: "edited", text: next };
    },
    decide: async (issue, verdict) => {
      kept.push(verdict);
      return issue;
    },
  });
  await walkIssues(walk);
  expect(edits).toEqual(["Take 5 mg. Take 10 mg.", "Take nonsense."]);
  expect(text()).toContain('Your text cannot be taken: a merge would add "nonsense": no source');
  expect(kept).toEqual([{ kind: "approve" }]);
});

test("editing is not offered where approving makes no text", async () => {
  const { walk, text, verdicts } = aWalk(["e", "q"]);
  await walkIssues(walk);
  expect(text()).not.toContain("[e]dit");
  expect(verdicts).toEqual([]);
});
