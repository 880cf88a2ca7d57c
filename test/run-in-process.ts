import type { Io } from "../src/cli/io.ts";
import { main } from "../src/cli/main.ts";
import { openParts } from "../src/wire.ts";

/** The command line over the real parts, in this process: not on a terminal, with nothing on its standard input, at home in `home`. */
export async function runInProcess(
  { home, env = {} }: { readonly home: string; readonly env?: Readonly<Record<string, string>> },
  argv: readonly string[],
) {
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = {
    stdin: nothing(),
    stdout: { write: (text) => out.push(text), isTTY: false },
    stderr: { write: (text) => err.push(text), isTTY: false },
    env: { HOME: home, SLOWWAVE_HOME: home, ...env },
    cwd: home,
    pid: process.pid,
    onStopSignal: () => () => undefined,
  };
  const code = await main(argv, io, { openParts });
  return { code, stdout: out.join(""), stderr: err.join("") };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
