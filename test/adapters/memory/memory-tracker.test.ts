import { createMemoryTracker } from "../../../src/adapters/memory/memory-tracker.ts";
import { testIssueTracker } from "../../contracts/issue-tracker.ts";

testIssueTracker("in-memory tracker", async () => createMemoryTracker());
