import { describe } from "vitest";
import { testIssueTracker } from "../contracts/issue-tracker.ts";
import { aTracker, BD, createRealBeads } from "./real-beads.ts";

describe.skipIf(BD === undefined)("with a real bd", () => {
  testIssueTracker("beads tracker", async () => aTracker(await createRealBeads()));
});
