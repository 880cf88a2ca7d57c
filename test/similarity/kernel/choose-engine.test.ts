import { expect, test } from "vitest";
import { chooseEngine } from "../../../src/similarity/kernel/choose-engine.ts";

const sized = (rows: number, queryRows = rows) => ({ rows, queryRows, dimensions: 256 });

test("chooseEngine takes the plain loop, the kernel, then threads as rows grow", () => {
  expect(chooseEngine(sized(100), { threads: 4 })).toEqual({ engine: "naive", threads: 1 });
  expect(chooseEngine(sized(2000), { threads: 4 })).toEqual({ engine: "inline", threads: 1 });
  expect(chooseEngine(sized(50_000), { threads: 4 })).toEqual({ engine: "threads", threads: 4 });
});

test("chooseEngine starts no thread without a strip of its own, and none for one processor", () => {
  expect(chooseEngine(sized(100_000, 300), { threads: 8 })).toEqual({
    engine: "threads",
    threads: 2,
  });
  expect(chooseEngine(sized(50_000), { threads: 1 })).toMatchObject({
    engine: "inline",
    threads: 1,
    note: expect.stringContaining("on one thread: this host offers no second processor"),
  });
  // A small search takes one thread anyway.
  expect(chooseEngine(sized(2000), { threads: 1 })).toEqual({ engine: "inline", threads: 1 });
});

test("chooseEngine falls back to the plain loop and says why", () => {
  const unsupported = chooseEngine(sized(50_000), { threads: 4, kernelSupported: false });
  expect(unsupported).toMatchObject({ engine: "naive", note: expect.stringContaining("SIMD") });
  expect(chooseEngine(sized(10), { threads: 4, kernelSupported: false }).note).toBeUndefined();

  const huge = chooseEngine(
    { rows: 2_000_000, queryRows: 2_000_000, dimensions: 1536 },
    { threads: 4 },
  );
  expect(huge).toMatchObject({ engine: "naive", note: expect.stringContaining("4 GiB") });
});
