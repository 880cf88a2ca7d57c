import { type PurgeReport, previewPurge, purgeMemory } from "../../api/purge/purge-memory.ts";
import { defaultCache } from "../../config/locations.ts";
import { isUri } from "../../config/paths.ts";
import { SlowwaveError } from "../../model/errors.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { type Paint, printable } from "../paint.ts";
import { homeFolderOf } from "../scheduled-job.ts";
import { withParts } from "../with-parts.ts";
import type { ForgetFlags } from "./forget.ts";

export async function purge(
  context: CommandContext,
  id: string,
  flags: ForgetFlags,
): Promise<CommandResult> {
  if (flags.dryRun && flags.yes) {
    throw new SlowwaveError("usage", "--dry-run only shows, and --yes removes: give one of them");
  }
  const isLive = flags.yes === true;
  return await withParts(
    context,
    { mode: isLive ? "write" : "read", create: false },
    async (parts) => {
      const { io, signal } = context;
      const machine = { platform: process.platform, homeFolder: homeFolderOf(io), env: io.env };
      const { store } = parts.config;
      const options = {
        cacheFolder: defaultCache(machine),
        signal,
        ...(isUri(store) ? {} : { storeFolder: store }),
      };
      const report = isLive
        ? await purgeMemory(parts, { id }, options)
        : await previewPurge(parts, { id }, options);
      return {
        document: { dryRun: !isLive, ...report },
        text: (paint) => purgeText(report, { id, isLive, paint }),
      };
    },
  );
}

function purgeText(
  report: PurgeReport,
  { id, isLive, paint }: { readonly id: string; readonly isLive: boolean; readonly paint: Paint },
): string {
  const { purged, remade, relations, issues, uses, history, notes, cacheFiles } = report;
  const verb = isLive ? "removed for good" : "would be removed for good";
  const parts = purged.filter((one) => one !== id);
  return [
    paint.bold(`${printable(id)} ${verb}`),
    ...(parts.length === 0
      ? []
      : [`  with what it was made of: ${parts.map(printable).join(", ")}`]),
    ...remade.map((one) => `  ${printable(one)} is made again without it`),
    ...notes.map((note) => `  its note ${printable(note)}, with all that stands in it`),
    `  ${[
      counted(relations, "relation"),
      counted(issues, "issue"),
      counted(uses, "use"),
      `its words in ${counted(history, "record")} of earlier runs`,
      counted(cacheFiles, "cache file"),
    ].join(", ")}`,
    ...report.alsoSaidBy.map(
      (one) => `${paint.yellow("note")}: ${printable(one)} says a sentence of it too, and stays`,
    ),
    ...report.remains.map((text) => `${paint.yellow("remains")}: ${printable(text)}`),
    ...(isLive ? [] : [`\`slowwave forget ${printable(id)} --purge --yes\` removes it.`]),
  ].join("\n");
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
