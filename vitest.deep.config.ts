import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** Long sweeps: kills at random points, tens of thousands of random cases. Run before a release, not on every change. */
export default defineConfig({
  test: {
    ...base.test,
    include: ["test/deep/**/*.test.ts"],
    exclude: [],
    testTimeout: 20 * 60_000,
    hookTimeout: 120_000,
  },
});
