import { expect, test } from "vitest";
import { labelsOfReviews } from "../../../src/cli/calibrate/labels-of-reviews.ts";
import { fingerprintOf, type Issue } from "../../../src/model/issue.ts";
import { aMemory, anIssue } from "../../builders.ts";

const MEMORIES = ["a", "b", "c"].map((id) => aMemory({ id, content: `Text of ${id}.` }));

/** An issue of the cluster agent about the first memories, as they are. */
function finding(action: string, size: number, fields: Partial<Issue>): Issue {
  const members = MEMORIES.slice(0, size);
  const issue = anIssue({ labels: [], ...fields });
  return {
    ...issue,
    namespace: "default",
    notes: { ...issue.notes, agent: "cluster", action, memoryIds: members.map(({ id }) => id) },
    fingerprint: fingerprintOf({ agent: "cluster", namespace: "default", action, members }),
  };
}

const CLOSED = { status: "closed", closedBy: "person:ada" } as const;
const APPROVED = { labels: ["approved"] } as const;

test.each<[string, Issue, readonly string[]]>([
  ["an approved merge", finding("llm_review", 2, APPROVED), ["duplicate a b"]],
  [
    "an approved merge that was carried out",
    finding("llm_review", 2, { ...APPROVED, status: "closed", closedBy: "agent:merge" }),
    ["duplicate a b"],
  ],
  [
    "an approved merge of three",
    finding("llm_review", 3, APPROVED),
    ["duplicate a b", "duplicate a c", "duplicate b c"],
  ],
  ["a declined merge", finding("llm_review", 2, CLOSED), ["related a b"]],
  ["a declined merge of three", finding("llm_review", 3, CLOSED), []],
  ["an approved contradiction", finding("conflict", 2, APPROVED), ["contradiction a b"]],
  ["a declined contradiction", finding("conflict", 2, CLOSED), []],
  [
    "a merge nobody looked at",
    finding("auto_merge", 2, { ...CLOSED, closedBy: "agent:merge" }),
    [],
  ],
  ["a finding that waits", finding("llm_review", 2, {}), []],
  ["a finding of an undone run", finding("llm_review", 2, { ...CLOSED, undone: true }), []],
  [
    "a finding whose memories were edited",
    { ...finding("llm_review", 2, APPROVED), fingerprint: "other" },
    [],
  ],
])("%s says of pairs what it can", (_name, issue, labels) => {
  const found = labelsOfReviews([issue], MEMORIES);
  expect(found.map(({ label, a, b }) => `${label} ${a.at(-2)} ${b.at(-2)}`)).toEqual(labels);
});
