import { SlowwaveError } from "../model/errors.ts";
import type { CommandContext } from "./command-context.ts";
import type { TextSource } from "./io.ts";

/**
 * All of standard input as text.
 * @throws SlowwaveError `usage` where it is a terminal that nobody would type into; `input` where it is not UTF-8.
 */
export async function readStdin({ io, signal }: CommandContext): Promise<string> {
  const { stdin } = io;
  if (stdin.isTTY) {
    throw new SlowwaveError("usage", "-: expected text on standard input, found a terminal", {
      hint: "Pipe the text in: cat note.txt | slowwave remember -",
    });
  }
  const bytes = await Promise.race([readAll(stdin), aborted(stdin, signal)]);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SlowwaveError("input", "standard input: expected UTF-8 text", { cause });
  }
}

async function readAll(stdin: TextSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) {
    chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  }
  return Buffer.concat(chunks);
}

/** Whoever feeds the pipe may never close it, and an open one would keep the process alive. */
async function aborted(stdin: TextSource, signal: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    const stop = (): void => {
      stdin.destroy?.();
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}
