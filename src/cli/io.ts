/** Somewhere to write text. `columns` and `isTTY` as Node's streams have them. */
export interface TextSink {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Where text comes from. */
export interface TextSource extends AsyncIterable<Uint8Array | string> {
  readonly isTTY?: boolean | undefined;
  destroy?(): unknown;
}

export type StopSignal = "SIGINT" | "SIGTERM";

/** Everything of the process that the command line touches, so that it also runs inside a test. */
export interface Io {
  readonly stdin: TextSource;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly pid: number;
  /** Calls `stop` on the first stop signal only, so that a second one ends the process at once. Returns the way to stop listening. */
  onStopSignal(stop: (signal: StopSignal) => void): () => void;
}
