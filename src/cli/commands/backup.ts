import path from "node:path";
import { type BackupReport, backUpStore, restoreBackup } from "../../intake/back-up-store.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { withParts } from "../with-parts.ts";

export async function backup(context: CommandContext, file: string): Promise<CommandResult> {
  const target = path.resolve(context.io.cwd, file);
  return await withParts(context, { mode: "read", create: false }, async (parts) => {
    const { store, clock } = parts;
    const report = await backUpStore({ store, path: target, now: clock.now() });
    return {
      document: { ...report, path: target },
      text: () =>
        [
          `backed up ${countsOf(report)} to ${printable(target)}, and read it back.`,
          "The vault is not part of it: it is a folder of its own.",
        ].join("\n"),
    };
  });
}

export async function restore(context: CommandContext, file: string): Promise<CommandResult> {
  const source = path.resolve(context.io.cwd, file);
  return await withParts(context, { mode: "write", create: true }, async ({ store }) => {
    const report = await restoreBackup({ store, path: source });
    return {
      document: { ...report, path: source, store: store.uri },
      text: () => `restored ${countsOf(report)} from ${printable(source)}, and compared.`,
    };
  });
}

function countsOf({ records, uses }: BackupReport): string {
  const { memory, relation, issue, run } = records;
  return `${memory} memories, ${relation} relations, ${issue} issues, ${uses} uses and ${run} runs`;
}
