/** One statement of an index file. */
export interface Block {
  readonly text: string;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** Line of the body, from 1. */
  readonly line: number;
}

/**
 * Takes an index file apart: each top-level bullet with what is indented below it is one block, and so is each paragraph, table or fenced
 * block between them. Headings are no blocks but the context of those below.
 */
export function splitBlocks(body: string): readonly Block[] {
  const state = createState();
  for (const [index, line] of body.split(/\r?\n/).entries()) addLine(state, line, index + 1);
  closeBlock(state);
  return state.blocks;
}

interface State {
  readonly blocks: Block[];
  headings: readonly { readonly level: number; readonly text: string }[];
  lines: string[];
  startLine: number;
  isBullet: boolean;
  fence: string | undefined;
}

function createState(): State {
  return { blocks: [], headings: [], lines: [], startLine: 0, isBullet: false, fence: undefined };
}

const BULLET = /^(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/;

function addLine(state: State, line: string, number: number): void {
  const fence = /^\s*(```|~~~)/.exec(line)?.[1];
  if (state.fence !== undefined) {
    push(state, line, number);
    if (fence === state.fence) state.fence = undefined;
    return;
  }
  const heading = /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line);
  if (heading) {
    openHeading(state, heading[1]?.length ?? 1, heading[2] ?? "");
    return;
  }
  if (endsBlock(state, line)) closeBlock(state);
  if (line.trim() === "" && state.lines.length === 0) return;
  if (state.lines.length === 0) state.isBullet = BULLET.test(line);
  push(state, line, number);
  state.fence = fence;
}

function openHeading(state: State, level: number, text: string): void {
  closeBlock(state);
  state.headings = [...state.headings.filter((above) => above.level < level), { level, text }];
}

/** A bullet goes on over blank and indented lines; a paragraph ends at a blank line. */
function endsBlock({ lines, isBullet }: State, line: string): boolean {
  if (BULLET.test(line)) return true;
  if (!isBullet) return line.trim() === "";
  const followsBlank = lines.at(-1)?.trim() === "";
  return followsBlank && line.trim() !== "" && !/^\s/.test(line);
}

function push(state: State, line: string, number: number): void {
  if (state.lines.length === 0) state.startLine = number;
  state.lines.push(line);
}

function closeBlock(state: State): void {
  const text = state.lines.join("\n").replace(BULLET, "").trimEnd();
  const headings = state.headings.map((heading) => heading.text);
  if (text.trim() !== "") state.blocks.push({ text, headings, line: state.startLine });
  state.lines = [];
  state.isBullet = false;
}
