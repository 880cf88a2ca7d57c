import { SlowwaveError } from "../../model/errors.ts";
import type { ExitCode } from "../command-context.ts";

/** The exit code that an error ends the process with. */
export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof SlowwaveError)) return 1;
  switch (error.code) {
    case "usage":
    case "config":
    case "input":
      return 2;
    case "busy":
      return 3;
    case "interrupted":
      return 130;
    default:
      return 1;
  }
}

/** A predicted failure in one line, its reason and its remedy; anything else with its stack, and where to report it. */
export function errorText(error: unknown, { debug }: { readonly debug: boolean }): string {
  if (!(error instanceof SlowwaveError)) {
    const stack = error instanceof Error ? withCauses(error) : String(error);
    return `error: this is a bug in slowwave\n${stack}\nPlease report it with these lines.`;
  }
  const lines = [`error: ${error.message}`];
  const reason = reasonOf(error.cause);
  if (reason !== undefined) lines.push(`Reason: ${reason}`);
  if (error.hint !== undefined) lines.push(`Hint: ${error.hint}`);
  if (debug) lines.push(withCauses(error));
  return lines.join("\n");
}

/** What `--json` prints instead. */
export function errorDocument(error: unknown): object {
  if (!(error instanceof SlowwaveError)) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = "This is a bug in slowwave: please report it with what --debug prints.";
    return { error: { code: "internal", message, hint } };
  }
  const { code, message, hint = null } = error;
  const reason = reasonOf(error.cause);
  return { error: { code, message, hint, ...(reason === undefined ? {} : { reason }) } };
}

function reasonOf(cause: unknown): string | undefined {
  if (cause === undefined) return undefined;
  return cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
}

function withCauses(error: Error): string {
  const stack = error.stack ?? String(error);
  return error.cause instanceof Error ? `${stack}\nCaused by: ${withCauses(error.cause)}` : stack;
}
