import type { Io } from "./io.ts";

/** Text styles; all give the text back unchanged where colour is not wanted. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** https://no-color.org: set to anything but nothing, it wins; else colour is for terminals. */
export function createPaint({ stdout, env }: Pick<Io, "stdout" | "env">): Paint {
  const isPlain = Boolean(env.NO_COLOR) || env.TERM === "dumb" || stdout.isTTY !== true;
  const style = (on: number, off: number) => (text: string) =>
    isPlain ? text : `\u001b[${on}m${text}\u001b[${off}m`;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}

/**
 * Stored text made safe to print: a memory may hold escape sequences that would repaint the terminal or forge output. Line breaks and
 * tabs stay.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    if (character === "\n" || character === "\t") return character;
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** On one line, cut to a number of characters. */
export function oneLine(text: string, length: number): string {
  const characters = [...printable(text).replace(/\s+/g, " ").trim()];
  return characters.length <= length
    ? characters.join("")
    : `${characters.slice(0, length - 1).join("")}…`;
}
