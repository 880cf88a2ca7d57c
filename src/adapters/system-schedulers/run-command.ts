import { spawn } from "node:child_process";

export interface CommandAnswer {
  /** `undefined`: there is no such command. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export type RunCommand = (
  command: string,
  args: readonly string[],
  input?: string,
) => Promise<CommandAnswer>;

/** Runs commands found by the PATH of `env`. Messages come in one language, since some are read. */
export function createRunCommand(env: Environment): RunCommand {
  return (command, args, input = "") =>
    new Promise((resolve, reject) => {
      const child = spawn(command, args, { env: { ...env, LC_ALL: "C" }, stdio: "pipe" });
      const [out, err]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
      child.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") resolve({ exitCode: undefined, stdout: "", stderr: "" });
        else reject(error);
      });
      child.on("close", (code) => {
        const stdout = Buffer.concat(out).toString("utf8");
        // Ended by a signal counts as a failure like any other.
        resolve({ exitCode: code ?? 1, stdout, stderr: Buffer.concat(err).toString("utf8") });
      });
      // A command that fails early does not read its input; its exit code says so.
      child.stdin.on("error", () => undefined);
      child.stdin.end(input);
    });
}
