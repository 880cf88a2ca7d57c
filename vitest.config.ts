import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    restoreMocks: true,
    unstubEnvs: true,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One more than there are cores: many a test waits for git, a child process or a disk.
    maxWorkers: availableParallelism() + 1,
    setupFiles: ["test/repeatable.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          // Loading the same modules for each of 150 files costs more than the tests; none of them changes global state.
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: ["test/deep/**", "test/e2e/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          // Alone in needing the built command line, so that no other test waits for a build.
          globalSetup: "test/global-setup.ts",
        },
      },
    ],
  },
});
