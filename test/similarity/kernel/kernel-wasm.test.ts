import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { kernelModuleSource } from "../../../scripts/build-kernel.ts";

test("the committed kernel is what its generator builds", async () => {
  const committed = new URL("../../../src/similarity/kernel/kernel-wasm.ts", import.meta.url);
  expect(await readFile(committed, "utf8")).toBe(await kernelModuleSource());
});
