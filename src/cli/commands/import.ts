import path from "node:path";
import { Readable } from "node:stream";
import { entitiesOf } from "../../api/entities-of.ts";
import { isUri } from "../../config/paths.ts";
import { IMPORT_FORMATS } from "../../intake/formats.ts";
import { type ImportReport, importMemories } from "../../intake/import-memories.ts";
import { decayScore } from "../../model/decay-score.ts";
import { toIso } from "../../model/instant.ts";
import type { Memory } from "../../model/memory.ts";
import { createUsageIndex } from "../../scheduler/usage-index.ts";
import type { Parts } from "../../wire.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { type Paint, printable } from "../paint.ts";
import { oneOf } from "../parse-options.ts";
import { withParts } from "../with-parts.ts";

export interface ImportFlags {
  readonly from?: string;
}

export async function importPath(
  context: CommandContext,
  source: string,
  flags: ImportFlags,
): Promise<CommandResult> {
  const from = flags.from === undefined ? undefined : oneOf("--from", IMPORT_FORMATS)(flags.from);
  const { io, signal } = context;
  return await withParts(context, { mode: "write" }, async (parts) => {
    const { namespace } = parts.config;
    let atRisk = 0;
    const report = await importMemories({
      store: parts.store,
      source:
        source === "-"
          ? Readable.from(io.stdin, { objectMode: false })
          : path.resolve(io.cwd, source),
      ...(from === undefined ? {} : { from }),
      ...(namespace === undefined ? {} : { namespace }),
      now: parts.clock.now(),
      quarantinePath: quarantinePathOf(parts, io.cwd),
      extractEntities: entitiesOf,
      progress: parts.progress,
      signal,
      onAdded: (memories) => {
        atRisk += countAtRisk(parts, memories);
      },
    });
    // Recall would otherwise read every new text until the next run has indexed them.
    if (report.added + report.updated > 0) await parts.store.maintain(parts.clock.now());
    return {
      document: { ...report, atRisk },
      text: (paint) => describe(report, atRisk, paint),
      exitCode: report.quarantined > 0 ? 1 : 0,
    };
  });
}

/** Inside the store's folder, so that what was left out stays with what was taken in; by time, so that no import hides another's. */
function quarantinePathOf(parts: Parts, cwd: string): string {
  const stamp = toIso(parts.clock.now()).replaceAll(/[:.]/g, "-");
  const folder = isUri(parts.config.store) ? cwd : parts.config.store;
  return path.join(folder, "quarantine", `${stamp}.jsonl`);
}

/** Old memories may arrive nearly forgotten: what the hook after saving one tells of one, told of all. */
function countAtRisk(parts: Parts, added: readonly Memory[]): number {
  const settings = parts.config.settings.decay;
  const now = parts.clock.now();
  const usage = createUsageIndex([], now);
  return added.filter(
    (memory) =>
      memory.status === "active" &&
      decayScore({ memory, usage: usage.of(memory, () => undefined), now, settings }) <
        settings.highBelow,
  ).length;
}

function describe(report: ImportReport, atRisk: number, paint: Paint): string {
  const { relations } = report;
  const counts = [
    `${report.added} added`,
    `${report.updated} updated`,
    `${report.unchanged} unchanged`,
    ...(report.replaced > 0 ? [`${report.replaced} replaced by a later line`] : []),
  ];
  return [
    `read ${report.read} memories (${report.format}): ${counts.join(", ")}`,
    ...(relations.added + relations.updated + relations.unchanged + relations.removed > 0
      ? [
          `relations: ${relations.added} added, ${relations.updated} updated, ${relations.removed} removed, ${relations.unchanged} unchanged`,
        ]
      : []),
    ...(report.quarantined > 0
      ? [paint.yellow(`${report.quarantined} could not be taken in`)]
      : []),
    ...(relations.dropped > 0 ? [paint.yellow(`${relations.dropped} relations lack an end`)] : []),
    ...(report.quarantinePath === undefined
      ? []
      : [`what was left out, and why: ${printable(report.quarantinePath)}`]),
    ...(atRisk > 0
      ? [`${atRisk} of those added are nearly forgotten; see slowwave run --dry-run`]
      : []),
  ].join("\n");
}
