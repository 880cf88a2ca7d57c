import { describe } from "vitest";
import { testIssueTracker } from "../contracts/issue-tracker.ts";
import { aTracker, BD, createRealBeads, SUITE } from "./real-beads.ts";

describe.skipIf(BD === undefined)(SUITE, () => {
  testIssueTracker("beads tracker", async () => aTracker(await createRealBeads()));
});
