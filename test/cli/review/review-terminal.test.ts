import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import type { Io } from "../../../src/cli/io.ts";
import { openReviewTerminal } from "../../../src/cli/review/review-terminal.ts";

/** Streams that say they are a terminal; what is typed is written to `keyboard`. */
function aTerminal() {
  const modes: boolean[] = [];
  const keyboard = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(on: boolean) {
      modes.push(on);
      return this;
    },
  });
  const screen = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY: true, columns: 99 });
  const io: Io = {
    stdin: keyboard,
    stdout: screen,
    stderr: screen,
    env: {},
    cwd: "/",
    pid: 1,
    onStopSignal: () => () => undefined,
  };
  const terminal = openReviewTerminal(io);
  if (terminal === undefined) throw new Error("no terminal was opened");
  onTestFinished(() => terminal.close());
  return { terminal, keyboard, modes, shown: () => String(screen.read() ?? "") };
}

test("a review terminal gives one key at a time, and leaves the terminal as it was between them", async () => {
  const { terminal, keyboard, modes } = aTerminal();
  const keys: string[] = [];
  for (const typed of ["a", "R", "\u0003", "\u0004", "\u001b[A", "\r"]) {
    const key = terminal.readKey();
    keyboard.write(typed);
    keys.push(await key);
    expect(modes.at(-1)).toBe(false);
  }
  expect(keys).toEqual(["a", "r", "ctrl-c", "ctrl-d", "up", "return"]);
  expect(terminal.columns()).toBe(99);
});

test("a review terminal says when nothing more can come", async () => {
  const { terminal, keyboard } = aTerminal();
  const key = terminal.readKey();
  keyboard.end();
  expect(await key).toBe("end");
});

test("a review terminal takes a line as an answer, and none where it is interrupted", async () => {
  const { terminal, keyboard, shown } = aTerminal();
  const answer = terminal.ask("Why? ");
  keyboard.write("two facts\r");
  expect(await answer).toBe("two facts");
  expect(shown()).toContain("Why? ");
  const interrupted = terminal.ask("Why? ");
  keyboard.write("no\u0003");
  expect(await interrupted).toBeUndefined();
  const key = terminal.readKey();
  keyboard.write("s");
  expect(await key).toBe("s");
});

test("there is no review terminal where either end is a pipe", () => {
  const pipe = new PassThrough();
  const io = { stdin: pipe, stdout: pipe, stderr: pipe, env: {}, cwd: "/", pid: 1 };
  expect(openReviewTerminal({ ...io, onStopSignal: () => () => undefined })).toBeUndefined();
});
