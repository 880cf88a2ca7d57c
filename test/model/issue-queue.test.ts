import { expect, test } from "vitest";
import { DAY_MS } from "../../src/model/instant.ts";
import { countQueue, queueWords } from "../../src/model/issue-queue.ts";
import { anIssue, BUILT_AT } from "../builders.ts";

test("countQueue counts by agent, present urgency and age, and only what waits for a person", () => {
  const now = BUILT_AT + 8 * DAY_MS;
  const decay = { ...anIssue().notes, agent: "decay" };
  const counts = countQueue(
    [
      anIssue(),
      anIssue({ notes: decay, labels: ["urgency:high"], createdAt: now - 7 * DAY_MS }),
      anIssue({ notes: decay, labels: [], createdAt: now - 1 }),
      anIssue({ status: "closed" }),
      anIssue({ labels: ["approved"] }),
    ],
    now,
  );
  expect(counts).toEqual({
    waiting: 3,
    byAgent: { cluster: 1, decay: 2 },
    byUrgency: { high: 1, medium: 2, low: 0 },
    byAge: { day: 1, week: 1, older: 1 },
  });
  expect(queueWords(counts)).toBe("high 1, medium 2; cluster 1, decay 2; 1 older than 7 days");
});
