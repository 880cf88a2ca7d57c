import { expect, test } from "vitest";
import { createProgress } from "../../src/cli/progress.ts";

function capture(isTTY: boolean) {
  const written: string[] = [];
  const progress = createProgress({ write: (text) => written.push(text), isTTY, columns: 60 });
  return { progress, written };
}

test("progress without a terminal writes plain lines, for long work alone", () => {
  const { progress, written } = capture(false);
  progress.start("decay", 5);
  progress.advance("decay", 5);
  progress.finish("decay");
  progress.start("cluster", 10_000);
  progress.advance("cluster", 7);
  progress.note("look \u001b[31m here");
  progress.finish("cluster");
  expect(written).toEqual(["cluster: 10000 to do\n", "look \\u001b[31m here\n", "cluster: done\n"]);
});

test("progress on a terminal redraws one bar only when it moves, and takes it away", () => {
  const { progress, written } = capture(true);
  progress.start("merge", 1000);
  for (let done = 1; done <= 1000; done += 1) progress.advance("merge", done);
  progress.finish("merge");
  expect(written.length).toBeLessThan(130);
  expect(written.join("")).toContain("100%");
  expect(written.at(-1)).toBe("\r\u001b[2K");
  expect(written.join("")).not.toContain("\n");
});
