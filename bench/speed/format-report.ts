interface StageCost {
  readonly wallS: number;
  readonly cpuS: number;
}

export interface SpeedReport {
  readonly version: 1;
  readonly size: number;
  readonly changed: number;
  readonly stages: Readonly<Record<string, StageCost>>;
  /** Of the full run. */
  readonly peakMemoryMb: number;
  /** Of distinct texts, at the threshold for links. */
  readonly pairs: number;
  /** Of the store on disk after the import. */
  readonly bytes: number;
  readonly ratios: Readonly<
    Record<
      | "naiveCpuOverKernelCpu"
      | "nightlyOverFull"
      | "recallOverBareQuery"
      | "versionOverBareNode"
      | "importOverBareInsert",
      number
    >
  >;
  readonly kernel: {
    readonly gmacPerCpuS: number;
    readonly effectiveGmacPerCpuS: number;
    readonly exact: true;
  };
}

/** A Markdown table, for people and for the record of results. */
export function formatReport(report: SpeedReport): string {
  const { size, changed, stages, ratios, kernel } = report;
  const row = (name: string, ...cells: readonly number[]) =>
    `| ${[name, ...cells.map((cell) => cell.toFixed(cell < 10 ? 2 : 1))].join(" | ")} |`;
  return [
    `${size} memories, ${changed * 100} % changed: ${report.pairs} pairs, ${(report.bytes / 1e6).toFixed(1)} MB on disk, ${report.peakMemoryMb.toFixed(0)} MB at the full run's peak`,
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
  ].join("\n");
}
