import readline from "node:readline";
import type { ReadStream } from "node:tty";
import type { Io, TextSink, TextSource } from "../io.ts";

/** A terminal that gives one key at a time. */
export interface ReviewTerminal {
  columns(): number;
  write(text: string): void;
  /** The next key's name, in lower case; `ctrl-c` for an interrupt, `end` once nothing more can come. */
  readKey(): Promise<string>;
  /** One line of text; `undefined` where it was interrupted or the input ended. */
  ask(question: string): Promise<string | undefined>;
  close(): void;
}

/** `undefined` where there is nobody to press keys. */
export function openReviewTerminal({ stdin, stdout }: Io): ReviewTerminal | undefined {
  if (!isKeyboard(stdin) || !isScreen(stdout)) return undefined;
  readline.emitKeypressEvents(stdin);
  return {
    columns: () => stdout.columns ?? 80,
    write: (text) => void stdout.write(text),
    readKey: () => readKey(stdin),
    ask: (question) => ask(question, { input: stdin, output: stdout }),
    close: () => {
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}

function isKeyboard(stdin: TextSource): stdin is TextSource & ReadStream {
  return stdin.isTTY === true && "setRawMode" in stdin;
}

function isScreen(stdout: TextSink): stdout is TextSink & NodeJS.WritableStream {
  return stdout.isTTY === true && "once" in stdout;
}

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

/** In raw mode Ctrl-C is a key like any other. */
async function readKey(stdin: ReadStream): Promise<string> {
  stdin.setRawMode(true);
  stdin.resume();
  return await new Promise((resolve) => {
    const settle = (key: string): void => {
      stdin.off("keypress", onKey);
      stdin.off("end", onEnd);
      stdin.setRawMode(false);
      stdin.pause();
      resolve(key);
    };
    const onKey = (text: string | undefined, { name, ctrl }: Key): void =>
      settle(ctrl === true ? `ctrl-${name ?? ""}` : (name ?? text ?? "").toLowerCase());
    const onEnd = (): void => settle("end");
    stdin.once("keypress", onKey);
    stdin.once("end", onEnd);
  });
}

async function ask(
  question: string,
  streams: { readonly input: ReadStream; readonly output: NodeJS.WritableStream },
): Promise<string | undefined> {
  const lines = readline.createInterface(streams);
  try {
    return await new Promise((resolve) => {
      lines.once("SIGINT", () => {
        streams.output.write("\n");
        resolve(undefined);
      });
      lines.once("close", () => resolve(undefined));
      lines.question(question, resolve);
    });
  } finally {
    lines.close();
  }
}
