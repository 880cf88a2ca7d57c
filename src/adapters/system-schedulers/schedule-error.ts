import { SlowwaveError } from "../../model/errors.ts";
import type { CommandAnswer } from "./run-command.ts";

/** A command of a scheduler that failed or is not there. */
export function scheduleError(
  command: string,
  { exitCode, stderr }: CommandAnswer,
  hint: string,
): SlowwaveError {
  const [reason = ""] = stderr.trim().split("\n");
  const message =
    exitCode === undefined
      ? `${command}: there is no such command here`
      : `${command} failed with exit code ${exitCode}${reason === "" ? "" : `: ${reason}`}`;
  return new SlowwaveError("schedule", message, { hint });
}
