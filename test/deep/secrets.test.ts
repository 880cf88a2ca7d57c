import { test } from "vitest";
import { expectNoLeak, REVIEW_ALL, SECRETS } from "../promises/secret-runs.ts";

test.each([
  ["applied", {}],
  ["held for a person", REVIEW_ALL],
])(
  "no secret of any known format leaves the store where all is %s",
  async (_how, settings) => {
    await expectNoLeak(SECRETS, settings);
  },
  600_000,
);
