import { folderTemplateProblem } from "../model/note-folder.ts";
import type { Settings } from "../model/settings.ts";

/** What no single key can tell. */
export function findCrossFieldProblems({ decay, cluster, ...settings }: Settings): string[] {
  const inOrder: readonly (readonly [string, number, string, number])[] = [
    ["decay.forgetBelow", decay.forgetBelow, "decay.lowBelow", decay.lowBelow],
    ["decay.highBelow", decay.highBelow, "decay.mediumBelow", decay.mediumBelow],
    ["decay.mediumBelow", decay.mediumBelow, "decay.lowBelow", decay.lowBelow],
    [
      "cluster.minClusterSize",
      cluster.minClusterSize,
      "cluster.maxClusterSize",
      cluster.maxClusterSize,
    ],
    [
      "cluster.linkThreshold",
      cluster.linkThreshold,
      "cluster.similarityThreshold",
      cluster.similarityThreshold,
    ],
    ["reviewConfidence", settings.reviewConfidence, "applyConfidence", settings.applyConfidence],
  ];
  return inOrder
    .filter(([, lower, , upper]) => lower > upper)
    .map(
      ([lowerName, lower, upperName, upper]) =>
        `settings.${lowerName}: expected at most settings.${upperName} (${upper}), got ${lower}`,
    );
}

/** A folder name is more than a text that is not empty. */
export function findFolderProblems(folder: string): string[] {
  const expected = folderTemplateProblem(folder);
  return expected === undefined
    ? []
    : [`notes.folder: expected ${expected}, got ${JSON.stringify(folder)}`];
}
