import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import path from "node:path";
import { SlowwaveError } from "../model/errors.ts";
import type { Origin } from "./incoming.ts";

/** A line beyond this is skipped without being held in memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** How much of a skipped line is kept for the quarantine file. */
const HEAD_BYTES = 1000;

export type LineItem =
  | { readonly kind: "line"; readonly origin: Origin; readonly text: string }
  | { readonly kind: "bad"; readonly origin: Origin; readonly reason: string };

/**
 * The lines of a UTF-8 text file that hold anything, streamed: at most one line is in memory. LF and CRLF end a line, a byte order mark at
 * the start is passed over, a last line without an end counts. Lines that are too long or not UTF-8 come as `bad`.
 * @throws SlowwaveError `input` when the file cannot be read
 */
export async function* readLines(file: string): AsyncGenerator<LineItem> {
  const name = path.basename(file);
  let line = 0;
  for await (const { bytes, length, start } of splitBytes(readChunks(file))) {
    line += 1;
    const item =
      length > MAX_LINE_BYTES
        ? tooLong(bytes, length, { file: name, line })
        : decodeLine(bytes, start, { file: name, line });
    if (item !== undefined) yield item;
  }
}

async function* readChunks(file: string): AsyncGenerator<Buffer> {
  try {
    // A stream without an encoding yields buffers.
    for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
      yield chunk as Buffer;
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

export function unreadable(file: string, error: unknown): SlowwaveError {
  const why = error instanceof Error ? error.message : String(error);
  return new SlowwaveError("input", `${file}: expected a readable file or folder (${why})`, {
    cause: error,
    hint: "Check the path and its permissions.",
  });
}

interface ByteLine {
  /** Without its end; of a line that is too long, its beginning. */
  readonly bytes: Buffer;
  readonly length: number;
  /** Offset in the file. */
  readonly start: number;
}

async function* splitBytes(chunks: AsyncIterable<Buffer>): AsyncGenerator<ByteLine> {
  const held = createHeldLine();
  let offset = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      held.add(chunk.subarray(from, at));
      yield held.take(offset + at - held.length());
      from = at + 1;
    }
    held.add(chunk.subarray(from));
    offset += chunk.length;
  }
  if (held.length() > 0) yield held.take(offset - held.length());
}

function createHeldLine() {
  let pieces: Buffer[] = [];
  let length = 0;
  return {
    length: () => length,
    add(piece: Buffer): void {
      if (piece.length === 0) return;
      length += piece.length;
      if (length <= MAX_LINE_BYTES) {
        pieces.push(piece);
        return;
      }
      const head = Buffer.concat([...pieces, piece.subarray(0, HEAD_BYTES)]).subarray(
        0,
        HEAD_BYTES,
      );
      pieces = [Buffer.from(head)];
    },
    take(start: number): ByteLine {
      const [first = Buffer.alloc(0), ...more] = pieces;
      const line = { bytes: more.length === 0 ? first : Buffer.concat(pieces), length, start };
      pieces = [];
      length = 0;
      return line;
    },
  };
}

interface Place {
  readonly file: string;
  readonly line: number;
}

function tooLong(head: Buffer, length: number, place: Place): LineItem {
  const raw = `${head.toString("utf8")}…`;
  const reason = `the line is too long: ${length} bytes, at most ${MAX_LINE_BYTES}`;
  return { kind: "bad", origin: { ...place, raw: () => raw }, reason };
}

function decodeLine(bytes: Buffer, start: number, place: Place): LineItem | undefined {
  const text = bytes.toString("utf8");
  if (!isUtf8(bytes)) {
    // Decoding replaced what is invalid, so the first byte that encoding gives back differently is the first invalid one.
    const back = Buffer.from(text);
    const at = bytes.findIndex((byte, index) => byte !== back[index]);
    const reason = `not UTF-8: invalid byte at offset ${start + at} of the file`;
    const raw = `base64:${bytes.toString("base64")}`;
    return { kind: "bad", origin: { ...place, raw: () => raw }, reason };
  }
  const clean = (start === 0 ? text.replace(/^\ufeff/, "") : text).replace(/\r$/, "");
  if (clean.trim() === "") return undefined;
  return { kind: "line", origin: { ...place, raw: () => clean }, text: clean };
}
