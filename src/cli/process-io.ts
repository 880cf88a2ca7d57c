import type { Io, StopSignal } from "./io.ts";

/** The process itself as an `Io`. */
export function processIo(): Io {
  // `slowwave list | head` closes the pipe early: what is not wanted any more is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    // Node makes a stream when it is first asked for, and most commands read nothing.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    get stderr() {
      return process.stderr;
    },
    env: process.env,
    cwd: process.cwd(),
    pid: process.pid,
    onStopSignal: (stop) => listen(stop),
  };
}

function listen(stop: (signal: StopSignal) => void): () => void {
  const onSignal = (signal: StopSignal): void => {
    unlisten();
    stop(signal);
  };
  const unlisten = (): void => {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return unlisten;
}
