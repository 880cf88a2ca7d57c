import type { Progress } from "../ports/progress.ts";
import type { TextSink } from "./io.ts";
import { oneLine, printable } from "./paint.ts";

/** Work smaller than this is done before a line about it could be read. */
const WORTH_TELLING = 200;

/** On standard error: one bar that redraws itself on a terminal, plain lines elsewhere. */
export function createProgress(stderr: TextSink): Progress {
  return stderr.isTTY === true ? createBar(stderr) : createLines(stderr);
}

export const SILENT_PROGRESS: Progress = {
  start: () => undefined,
  advance: () => undefined,
  finish: () => undefined,
  note: () => undefined,
};

function createLines(stderr: TextSink): Progress {
  const totals = new Map<string, number>();
  return {
    start: (task, total) => {
      if (total === undefined || total < WORTH_TELLING) return;
      totals.set(task, total);
      stderr.write(`${task}: ${total} to do\n`);
    },
    advance: () => undefined,
    finish: (task) => {
      if (totals.delete(task)) stderr.write(`${task}: done\n`);
    },
    note: (message) => {
      stderr.write(`${printable(message)}\n`);
    },
  };
}

const BAR_WIDTH = 24;

function createBar(stderr: TextSink): Progress {
  const totals = new Map<string, number | undefined>();
  let drawn = "";
  const draw = (line: string): void => {
    // A redraw for every item would cost more than the item.
    if (line === drawn) return;
    drawn = line;
    stderr.write(`\r\u001b[2K${oneLine(line, (stderr.columns ?? 80) - 1)}`);
  };
  const clear = (): void => {
    if (drawn !== "") stderr.write("\r\u001b[2K");
    drawn = "";
  };
  return {
    start: (task, total) => {
      totals.set(task, total);
      draw(`${task} …`);
    },
    advance: (task, done) => {
      const total = totals.get(task);
      draw(total ? `${task} ${barOf(done / total)}` : `${task} ${done}`);
    },
    finish: (task) => {
      totals.delete(task);
      clear();
    },
    note: (message) => {
      clear();
      stderr.write(`${printable(message)}\n`);
    },
  };
}

function barOf(share: number): string {
  const part = Math.min(1, Math.max(0, share));
  const full = Math.round(part * BAR_WIDTH);
  return `${"█".repeat(full)}${"░".repeat(BAR_WIDTH - full)} ${Math.floor(part * 100)}%`;
}
