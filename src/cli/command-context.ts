import type { OpenOptions, Parts } from "../wire.ts";
import type { Io } from "./io.ts";
import type { Paint } from "./paint.ts";

/** Flags that every command takes. */
export interface GlobalOptions {
  readonly store?: string;
  readonly vault?: string;
  readonly namespace?: string;
  readonly config?: string;
  readonly asOf?: string;
  readonly json?: true;
  readonly quiet?: true;
  readonly debug?: true;
}

/** What builds the parts: the composition root, or in-memory twins in a test. */
export type OpenParts = (options: OpenOptions) => Promise<Parts>;

export interface CommandContext {
  readonly io: Io;
  readonly globals: GlobalOptions;
  /** Aborts on the first stop signal. */
  readonly signal: AbortSignal;
  readonly openParts: OpenParts;
}

/** What a command has done, for people and for programs; `main` prints one of the two. */
export interface CommandResult {
  /** Printed with `version: 1` in front. */
  readonly document: object;
  text(paint: Paint): string;
  /** @default 0 */
  readonly exitCode?: ExitCode;
  /** True where nothing was due: `--quiet` then prints nothing. */
  readonly isIdle?: boolean;
}

/** 0 done or nothing due, 1 something failed or was left out, 2 usage or configuration, 3 another run holds the lease, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;
