import { test } from "vitest";
import { expectNoLeak, REVIEW_ALL, SECRETS } from "./secret-runs.ts";

test("no secret leaves the store, not even where every step waits for a person", async () => {
  await expectNoLeak(SECRETS.slice(0, 2), REVIEW_ALL);
});
