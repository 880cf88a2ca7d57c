import { expect, test } from "vitest";
import { createPaint } from "../../../src/cli/paint.ts";
import type { ApprovalPreview } from "../../../src/cli/review/preview-approval.ts";
import { type ReviewPage, reviewPage } from "../../../src/cli/review/review-page.ts";
import { widthOf } from "../../../src/cli/review/text-width.ts";
import type { Change } from "../../../src/model/change.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import { aMemory, anIssue, aRelation, BUILT_AT } from "../../builders.ts";

const PLAIN = createPaint({ stdout: { write: () => undefined }, env: {} });

function pageOf(fields: Partial<ReviewPage> = {}): string {
  const page: ReviewPage = {
    issue: anIssue(),
    memories: [aMemory(), aMemory({ id: "m2", content: "Maria prefers black tea." })],
    preview: { kind: "nothing", agent: "merge", why: "they changed" },
    width: 80,
    now: BUILT_AT,
    ...fields,
  };
  return reviewPage(page, PLAIN).join("\n");
}

function previewOf(agent: string, changes: readonly Change[]): ApprovalPreview {
  const proposal = {
    id: "p1",
    agent,
    namespace: "default",
    action: "act",
    results: [],
    confidence: 1,
    reason: "approved",
    dependsOn: [],
    changes,
    finding: { title: "t", urgency: "low", members: [], scores: {} },
  } as const;
  return { kind: "changes", agent, proposal };
}

test("reviewPage tells what was found, why it waits, its scores and since when", () => {
  const page = pageOf({ now: BUILT_AT + 9 * DAY_MS });
  expect(page).toContain("sw-1  medium  cluster/llm_review");
  expect(page).toContain("why it waits  alike, not the same");
  expect(page).toContain("scores        cohesion 0.800");
  expect(page).toContain("since         2026-03-02, 9 days");
});

test("reviewPage says which gate held it, and what failed before", () => {
  const notes = { ...anIssue().notes, error: "the model is away" };
  const page = pageOf({ issue: anIssue({ notes: { ...notes, details: { heldBy: "policy" } } }) });
  expect(page.replace(/\s+/g, " ")).toContain(
    "alike, not the same. your policy sends this to review. failed before: the model is away",
  );
});

test("reviewPage shows the merged text that approving makes", () => {
  const merged = aMemory({ id: "mem-9", content: "All of it.", leaves: ["m1", "m2"] });
  const preview = previewOf("merge", [{ kind: "memory.put", before: null, after: merged }]);
  expect(pageOf({ preview })).toContain(
    "Approving makes one memory, mem-9, and archives its sources:\nAll of it.",
  );
});

test("reviewPage lists what else approving does, and says so where only the issue is closed", () => {
  const memory = aMemory();
  const archived = { ...memory, status: "archived", archivedReason: "decayed" } as const;
  const link = aRelation({ type: "supersedes" });
  const preview = previewOf("cluster", [
    { kind: "memory.put", before: memory, after: archived },
    { kind: "memory.put", before: memory, after: { ...memory, reviewCount: 1 } },
    { kind: "relation.put", before: null, after: link },
    { kind: "relation.put", before: link, after: { ...link, strength: 0 } },
  ]);
  expect(pageOf({ preview })).toContain(
    [
      "  archive m1 Maria prefers green tea.",
      "  record a review of m1 Maria prefers green tea.",
      "  link m1 supersedes m2",
      "  change the link m1 supersedes m2",
    ].join("\n"),
  );
  expect(pageOf({ preview: previewOf("decay", []) })).toContain("Approving only closes the issue");
});

test("reviewPage keeps each of many memories on one row of the terminal", () => {
  const content = "Maria prefers green tea, and 漢字 on the label. ".repeat(9);
  const memories = ["m1", "m2", "m3"].map((id) => aMemory({ id, content }));
  const notes = { ...anIssue().notes, agent: "decay", memoryIds: ["m1", "m2", "m3"] };
  const preview = previewOf("decay", []);
  const page = pageOf({ issue: anIssue({ notes }), memories, preview, width: 50 });
  for (const row of page.split("\n")) expect(widthOf(row)).toBeLessThanOrEqual(50);
  expect(page).toContain("m3 2026-03-02  Maria prefers green tea");
});

test("reviewPage stays within a narrow terminal, and puts texts below one another there", () => {
  const page = pageOf({ width: 40 });
  for (const row of page.split("\n")) expect(widthOf(row)).toBeLessThanOrEqual(40);
  expect(page).not.toContain("≠");
  expect(page).toContain("Maria prefers black tea.");
});

test("reviewPage counts the memories that are gone, and those beyond the first six", () => {
  const memories = Array.from({ length: 9 }, (_, n) => aMemory({ id: `m${n}` }));
  const notes = {
    ...anIssue().notes,
    agent: "decay",
    memoryIds: ["x", ...memories.map((m) => m.id)],
  };
  const page = pageOf({ issue: anIssue({ notes }), memories });
  expect(page).toContain("… and 3 more");
  expect(page).toContain("1 of its memories are gone");
});
