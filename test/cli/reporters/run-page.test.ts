import { expect, test } from "vitest";
import { createPaint } from "../../../src/cli/paint.ts";
import { runPage } from "../../../src/cli/reporters/run-page.ts";
import { sizeWords } from "../../../src/cli/reporters/size-words.ts";
import type { RunMeasures } from "../../../src/model/run-measures.ts";
import { aRun } from "../../builders.ts";

const PLAIN = createPaint({ stdout: { write: () => undefined }, env: {} });

const MEASURES: RunMeasures = {
  edges: [0.05, 0.65],
  before: { memories: 50, archived: 3, bytes: 14_200, notes: 4, scores: [20, 29, 1] },
  after: { memories: 40, archived: 13, bytes: 900, notes: 5, scores: [10, 29, 1] },
  noteBytes: 2_100,
};

test("a run's page tells its size, its memories by score, and what each agent did and why", () => {
  const counts = { scanned: 50, planned: 11, applied: 10, waiting: 1, skipped: 2, failed: 0 };
  const run = aRun({
    tookMs: 61_400,
    measures: MEASURES,
    notes: ["lease: taken over"],
    agents: { decay: { ...counts, gates: { pinned: 2 } } },
  });
  const step = {
    ...{ proposalId: "p", agent: "decay", action: "archive", namespace: "default" },
    ...{ confidence: 1, reason: "never used", batch: 1, state: "applied" as const },
  };
  expect(runPage(run, [step], PLAIN).split("\n").slice(1)).toEqual([
    "took 1 min 1 s",
    "size: memories 50 → 40, archived 3 → 13, text 14.2 kB → 900 B, notes 4 → 5 (+2.1 kB)",
    "note: lease: taken over",
    "",
    "score        before  after",
    `below 0.05       20     10  ${"█".repeat(14)}${"░".repeat(14)}`,
    `0.05 – 0.65      29     29  ${"█".repeat(40)}`,
    "0.65 and up       1      1  █",
    "",
    "decay     looked at 50, did 10, 1 wait for a person, held back: 2 pinned",
    "  decay/archive: never used",
  ]);
});

test("a run that was killed has a page without chart and counts", () => {
  expect(runPage(aRun({ status: "interrupted" }), [], PLAIN)).toContain("interrupted");
});

test("what stays as it was is said once", () => {
  const same = { ...MEASURES, after: MEASURES.before, noteBytes: 0 };
  expect(sizeWords(same)).toBe("memories 50, archived 3, text 14.2 kB, notes 4");
});
