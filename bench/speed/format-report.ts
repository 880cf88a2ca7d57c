import type { KernelFigures } from "./measure-kernel.ts";

interface StageCost {
  readonly wallS: number;
  readonly cpuS: number;
}

export interface SpeedReport {
  readonly version: 1;
  readonly size: number;
  readonly changed: number;
  readonly stages: Readonly<Record<string, StageCost>>;
  /** Of the full run; where the pipeline was left out, of the search for pairs, its vectors included. */
  readonly peakMemoryMb: number;
  /** Of distinct texts, at the threshold for links. */
  readonly pairs: number;
  /** How pairs were searched for where not exactly, and what share of them that finds. */
  readonly note?: string;
  /** Of the store on disk after the import. */
  readonly bytes?: number;
  readonly ratios: SpeedRatios;
  /** The exact search over generated texts, and over vectors that are nearly orthogonal to each other. */
  readonly kernel: KernelFigures & { readonly exact: true; readonly scattered: KernelFigures };
}

/** Without the pipeline, the first alone. */
interface SpeedRatios {
  readonly naiveCpuOverKernelCpu: number;
  readonly nightlyOverFull?: number;
  readonly recallOverBareQuery?: number;
  readonly versionOverBareNode?: number;
  readonly importOverBareInsert?: number;
  /** Against the insertion alone, without the process around it. */
  readonly importOverInsertAlone?: number;
}

/** A Markdown table, for people and for the record of results. */
export function formatReport(report: SpeedReport): string {
  const { size, changed, stages, ratios, kernel } = report;
  const row = (name: string, ...cells: readonly number[]) =>
    `| ${[name, ...cells.map((cell) => cell.toFixed(cell < 10 ? 2 : 1))].join(" | ")} |`;
  return [
    `${size} memories, ${changed * 100} % changed: ${report.pairs} pairs, ${((report.bytes ?? 0) / 1e6).toFixed(1)} MB on disk, ${report.peakMemoryMb.toFixed(0)} MB at the peak`,
    ...(report.note === undefined ? [] : [report.note]),
    "",
    "| stage | wall s | CPU s |",
    "|---|---|---|",
    ...Object.entries(stages).map(([name, { wallS, cpuS }]) => row(name, wallS, cpuS)),
    "",
    "| ratio | times |",
    "|---|---|",
    ...Object.entries(ratios).map(([name, value]) => row(name, value)),
    row("kernel, GMAC a CPU s", kernel.gmacPerCpuS),
    row("kernel, effective GMAC a CPU s", kernel.effectiveGmacPerCpuS),
    row("nearly orthogonal vectors, naive over kernel", kernel.scattered.naiveCpuOverKernelCpu),
    row("nearly orthogonal vectors, effective GMAC a CPU s", kernel.scattered.effectiveGmacPerCpuS),
  ].join("\n");
}
