import { expect, test } from "vitest";
import { closeIssueRecord, type Issue } from "../../src/model/issue.ts";
import { rebaseIssue, takenIn } from "../../src/scheduler/rebase-issue.ts";
import { anIssue, BUILT_AT } from "../builders.ts";

const BEFORE = anIssue({ labels: ["consolidation", "urgency:low"] });
const ADA = { author: "person:ada", at: BUILT_AT + 7000, text: "hm" };

function revised(issue: Issue, fields: Partial<Issue>): Issue {
  return { ...issue, ...fields, revision: issue.revision + 1, updatedAt: issue.updatedAt + 5 };
}

function closed(issue: Issue, by: string): Issue {
  return closeIssueRecord(issue, { reason: `by ${by}`, by, at: BUILT_AT + 9 });
}

test("rebaseIssue gives the run's issue itself where nothing was done outside", () => {
  const after = revised(BEFORE, { labels: ["consolidation", "urgency:medium"] });
  expect(rebaseIssue({ before: BEFORE, after, view: BEFORE })).toBe(after);
});

test("rebaseIssue keeps comments and labels of both sides, without what either removed", () => {
  const after = revised(BEFORE, { labels: ["consolidation", "urgency:medium"] });
  const view = revised(BEFORE, {
    labels: ["urgency:low", "approved"],
    comments: [...BEFORE.comments, ADA],
    title: "Better said",
  });
  expect(rebaseIssue({ before: BEFORE, after, view })).toMatchObject({
    labels: ["urgency:medium", "approved"],
    comments: [...BEFORE.comments, ADA],
    title: "Better said",
    revision: 3,
  });
});

test("rebaseIssue lets a person's status stand, except over work that the run finished", () => {
  const view = closed(BEFORE, "person:ada");
  const blocked = revised(BEFORE, { status: "blocked" });
  expect(rebaseIssue({ before: BEFORE, after: blocked, view })).toMatchObject({
    status: "closed",
    closedBy: "person:ada",
  });
  const done = closed(BEFORE, "agent:merge");
  const both = rebaseIssue({ before: BEFORE, after: done, view });
  expect(both).toMatchObject({ status: "closed", closedBy: "agent:merge" });
  expect(both.comments.map(({ text }) => text)).toContain("closed: by person:ada");
});

test("takenIn leaves an issue alone that the tracker has as it is, or that is undone", () => {
  const found = { record: BEFORE, op: undefined, change: (issue: Issue) => issue };
  expect(takenIn(BEFORE, found)).toBe(BEFORE);
  const undone = revised(BEFORE, { undone: true });
  expect(takenIn(undone, { ...found, record: revised(BEFORE, {}) })).toBe(undone);
  expect(takenIn(undefined, { ...found, record: undone })).toBeUndefined();
});
