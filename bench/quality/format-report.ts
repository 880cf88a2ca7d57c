import type { QualityReport } from "./evaluate.ts";
import type { PairMeasures } from "./measure-pairs.ts";
import type { RecallMeasures, StoreMeasures } from "./measure-recall.ts";

/** The report in Markdown: three tables and a line. */
export function formatReport(report: QualityReport): string {
  const { pairs, clusters, recall, recallBySource, encode } = report;
  const pairRows = [
    ...Object.entries(pairs.bySource).map(([source, measures]) => pairRow(source, measures)),
    ...Object.entries(pairs.byFile).map(([file, measures]) => pairRow(`**${file}**`, measures)),
    ...(pairs.pooled.n === 0 ? [] : [pairRow("**pooled**", pairs.pooled)]),
  ];
  const clusterRows = Object.entries(clusters).map(([file, { b3, ari }]) => [
    file,
    ...[b3.p, b3.r, b3.f1, ari].map(share),
  ]);
  const recallRows = [
    ...Object.entries(recall).map(([id, measures]) => recallRow(id, measures)),
    ...Object.entries(recallBySource).map(([id, measures]) => recallRow(`**${id}**`, measures)),
  ];
  return [
    table(PAIR_HEAD, pairRows),
    table(["clusters", "B³ P", "B³ R", "B³ F1", "ARI"], clusterRows),
    table(RECALL_HEAD, recallRows),
    encode === undefined
      ? ""
      : `Encoding: ${Math.round(encode.textsPerCpuS)} texts a CPU second in one thread, ${encode.ratio.toFixed(2)} times the plain encoder's`,
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

const PAIR_HEAD = [
  "pairs",
  "n",
  "false merges",
  "related merges",
  "auto P",
  "auto R",
  "suggest P",
  "suggest R",
  "AP",
  "AUC",
  "AUC vs contradiction",
  "contradiction P",
  "contradiction R",
  "Spearman",
];

function pairRow(source: string, measures: PairMeasures): readonly string[] {
  return [
    source,
    String(measures.n),
    ...[
      measures.falseMergeRate,
      measures.relatedMergeRate,
      measures.autoMergePrecision,
      measures.autoMergeRecall,
      measures.suggestPrecision,
      measures.suggestRecall,
      measures.duplicateAP,
      measures.duplicateAUC,
      measures.duplicateVsContradictionAUC,
      measures.contradiction.p,
      measures.contradiction.r,
      measures.spearman,
    ].map(share),
  ];
}

const RECALL_HEAD = [
  "recall",
  "questions",
  "R@5",
  "R@10",
  "MRR@10",
  "after R@5",
  "after R@10",
  "after MRR@10",
  "memories",
  "after",
  "complete R@10",
];

function recallRow(id: string, store: StoreMeasures): readonly string[] {
  const three = ({ recall5, recall10, mrr10 }: RecallMeasures): readonly string[] =>
    [recall5, recall10, mrr10].map(share);
  return [
    id,
    String(store.questions),
    ...three(store.before),
    ...three(store.after),
    String(store.memoriesBefore),
    String(store.memoriesAfter),
    share(store.complete.questions === 0 ? null : store.complete.before.recall10),
  ];
}

function share(value: number | null): string {
  return value === null ? "–" : value.toFixed(3);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}
