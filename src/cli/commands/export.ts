import path from "node:path";
import { EXPORT_FORMATS, type ExportReport, exportMemories } from "../../intake/export-memories.ts";
import { exportToPath } from "../../intake/export-to-path.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { oneOf } from "../parse-options.ts";
import { withParts } from "../with-parts.ts";

export interface ExportFlags {
  readonly format?: string;
  readonly out?: string;
}

export async function exportAll(
  context: CommandContext,
  flags: ExportFlags,
): Promise<CommandResult> {
  const format = oneOf("--format", EXPORT_FORMATS)(flags.format ?? "jsonl");
  const { io, globals } = context;
  return await withParts(context, { mode: "read" }, async (parts) => {
    const { namespace } = parts.config;
    const wanted = {
      store: parts.store,
      format,
      now: parts.clock.now(),
      ...(namespace === undefined ? {} : { namespace }),
    };
    if (flags.out !== undefined) {
      const target = path.resolve(io.cwd, flags.out);
      const report = await exportToPath({ ...wanted, path: target });
      return {
        document: { ...report, format, path: target },
        text: () => `wrote ${countsOf(report)} to ${printable(target)}`,
      };
    }
    if (!globals.json) {
      const report = await exportMemories({
        ...wanted,
        write: (line) => void io.stdout.write(`${line}\n`),
      });
      if (!globals.quiet) io.stderr.write(`wrote ${countsOf(report)}\n`);
      return { document: report, text: () => "" };
    }
    const records: unknown[] = [];
    const write = (line: string): void => void records.push(JSON.parse(line));
    const report = await exportMemories({ ...wanted, write });
    return { document: { ...report, format, records }, text: () => "" };
  });
}

function countsOf({ memories, relations, tombstones }: ExportReport): string {
  const deleted = tombstones > 0 ? ` and ${tombstones} deletions` : "";
  return `${memories} memories, ${relations} relations${deleted}`;
}
