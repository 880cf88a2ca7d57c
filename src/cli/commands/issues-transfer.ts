import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { readLines } from "../../intake/read-lines.ts";
import { SlowwaveError } from "../../model/errors.ts";
import { ISSUE_STATUSES } from "../../model/issue.ts";
import { fromBeadsLine, toBeadsLine } from "../../ports/beads-line.ts";
import type { ReceiveOutcome } from "../../ports/issue-tracker.ts";
import type { Parts } from "../../wire.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { type Paint, printable } from "../paint.ts";
import { readStdin } from "../read-stdin.ts";
import { withParts } from "../with-parts.ts";

/** Every issue of the namespaces in question, closed ones too. */
export async function exportIssues(
  context: CommandContext,
  flags: { readonly out?: string },
): Promise<CommandResult> {
  return await withParts(context, { mode: "read" }, async (parts) => {
    const { namespace } = parts.config;
    const issues = await parts.tracker.query({
      status: ISSUE_STATUSES,
      ...(namespace === undefined ? {} : { namespace }),
    });
    const lines = issues.map((issue) => toBeadsLine(issue));
    const count = `${lines.length} ${lines.length === 1 ? "issue" : "issues"}`;
    if (flags.out === undefined) {
      if (!context.globals.quiet && !context.globals.json) {
        context.io.stderr.write(`wrote ${count}\n`);
      }
      return {
        document: { issues: lines.length, records: lines.map((line): unknown => JSON.parse(line)) },
        text: () => lines.join("\n"),
      };
    }
    const target = path.resolve(context.io.cwd, flags.out);
    await writeWhole(target, lines.map((line) => `${line}\n`).join(""));
    return {
      document: { issues: lines.length, path: target },
      text: () => `wrote ${count} to ${printable(target)}`,
    };
  });
}

/** Beside the target, then renamed: an earlier export stays whole until then. Issues tell of memories, so nobody else may read them. */
async function writeWhole(target: string, text: string): Promise<void> {
  const partial = `${target}.partial`;
  try {
    await writeFile(partial, text, { mode: 0o600, flush: true });
    await rename(partial, target);
  } catch (cause) {
    await rm(partial, { force: true });
    throw new SlowwaveError("input", `${target}: cannot write the export`, {
      cause,
      hint: "Check that the folder exists, can be written, and has space.",
    });
  }
}

interface Quarantined {
  readonly line: number;
  readonly reason: string;
}

type Counts = Record<ReceiveOutcome | "foreign", number>;

/** A line that does not fit is named and passed over, with exit code 1; so is none of the others. */
export async function importIssues(context: CommandContext, file: string): Promise<CommandResult> {
  return await withParts(context, { mode: "write", create: false }, async (parts) => {
    const counts: Counts = { ...NONE };
    const quarantined: Quarantined[] = [];
    for await (const { line, text, reason } of linesOf(file, context)) {
      const outcome = reason === undefined ? await receiveLine(text, parts) : { reason };
      if (typeof outcome === "string") counts[outcome] += 1;
      else quarantined.push({ line, reason: outcome.reason });
    }
    return {
      document: { ...counts, quarantined },
      text: (paint) => importText({ counts, quarantined }, paint),
      exitCode: quarantined.length > 0 ? 1 : 0,
    };
  });
}

const NONE: Counts = { added: 0, updated: 0, unchanged: 0, older: 0, duplicate: 0, foreign: 0 };

interface ImportedLine {
  readonly line: number;
  readonly text: string;
  /** Why it cannot be read. */
  readonly reason?: string;
}

async function* linesOf(file: string, context: CommandContext): AsyncGenerator<ImportedLine> {
  if (file === "-") {
    const lines = (await readStdin(context)).split(/\r?\n/);
    for (const [at, text] of lines.entries()) if (text.trim() !== "") yield { line: at + 1, text };
    return;
  }
  for await (const item of readLines(path.resolve(context.io.cwd, file))) {
    const { line } = item.origin;
    if (item.kind === "line") yield { line, text: item.text };
    else yield { line, text: "", reason: item.reason };
  }
}

async function receiveLine(
  text: string,
  { tracker }: Parts,
): Promise<keyof Counts | { readonly reason: string }> {
  try {
    const back = fromBeadsLine(text);
    return back === undefined ? "foreign" : await tracker.receive(back.record, back.change);
  } catch (error) {
    if (error instanceof SlowwaveError && error.code === "input") return { reason: error.message };
    throw error;
  }
}

function importText(
  {
    counts,
    quarantined,
  }: { readonly counts: Counts; readonly quarantined: readonly Quarantined[] },
  paint: Paint,
): string {
  const { added, updated, unchanged, older, duplicate, foreign } = counts;
  const passed = [
    ...(older > 0 ? [`${older} older than what is here`] : []),
    ...(duplicate > 0 ? [`${duplicate} waiting here under another id`] : []),
    ...(foreign > 0 ? [`${foreign} not of slowwave`] : []),
  ];
  return [
    `${added} added, ${updated} updated, ${unchanged} unchanged`,
    ...(passed.length > 0 ? [`passed over: ${passed.join(", ")}`] : []),
    ...quarantined.map(({ line, reason }) => paint.red(`line ${line}: ${printable(reason)}`)),
  ].join("\n");
}
