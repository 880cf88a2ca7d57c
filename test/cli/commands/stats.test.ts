import { expect, test } from "vitest";
import { anIssue } from "../../builders.ts";
import { createTestCli } from "../run-cli.ts";

test("stats counts what waits for a person by agent, urgency and age", async () => {
  const cli = createTestCli();
  const closed = anIssue({ id: "sw-2", fingerprint: "2", status: "closed" });
  for (const after of [anIssue(), closed]) {
    await cli.store.commit([{ record: "issue", before: null, after }]);
  }
  const later = ["stats", "--as-of", "2026-03-12T09:00:00Z"];
  expect((await cli.run(...later, "--json")).json()).toMatchObject({
    issues: { open: 1, closed: 1 },
    queue: {
      waiting: 1,
      byAgent: { cluster: 1 },
      byUrgency: { high: 0, medium: 1, low: 0 },
      byAge: { day: 0, week: 0, older: 1 },
    },
  });
  expect((await cli.run(...later)).stdout).toContain(
    "1 wait for you (medium 1; cluster 1; 1 older than 7 days)",
  );
  expect((await cli.run("stats", "--namespace", "work")).stdout).not.toContain("wait for you");
});
