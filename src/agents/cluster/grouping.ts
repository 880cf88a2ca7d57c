import type { Settings } from "../../model/settings.ts";
import type { PairList } from "../../similarity/pair-list.ts";
import type { Containment } from "./containment.ts";
import type { Likeness } from "./likeness.ts";
import type { Node } from "./nodes.ts";
import type { Unit } from "./units.ts";

export interface Group {
  readonly node: Node;
  readonly cohesion: number;
  /** `copies`: one text; `contained`: one text holds the others; `alike`: similar beyond doubt; `review`: somebody has to read them. */
  readonly basis: "copies" | "contained" | "alike" | "review";
}

export interface Grouping {
  readonly groups: readonly Group[];
  /** Every unit once, those together that will be one memory by the end of the run; by key. */
  readonly nodes: readonly Node[];
}

export interface GroupingInput {
  readonly units: readonly Unit[];
  /** Pairs of rows that are linked at all. */
  readonly rowPairs: PairList;
  readonly containment: Containment;
  readonly likeness: Likeness;
  readonly settings: Settings;
  /** False where the group is linked instead: two promoted memories, or texts too long together. */
  readonly isMergeable: (node: Node) => boolean;
}
