import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

const { projects: _projects, setupFiles: _setupFiles, ...shared } = base.test ?? {};

/** Long sweeps: kills at random points, tens of thousands of random cases. Run before a release, not on every change. */
export default defineConfig({
  test: {
    ...shared,
    include: ["test/deep/**/*.test.ts"],
    exclude: [],
    globalSetup: "test/global-setup.ts",
    // Numbers of points and kills, and what was skipped and why, are part of the result.
    reporters: ["verbose"],
    testTimeout: 20 * 60_000,
    hookTimeout: 120_000,
  },
});
