import { decayScore } from "../model/decay-score.ts";
import { toIso } from "../model/instant.ts";
import type { Issue } from "../model/issue.ts";
import type { Memory } from "../model/memory.ts";
import type { Relation } from "../model/relation.ts";
import type { DecaySettings } from "../model/settings.ts";
import type { Usage } from "../model/use.ts";

/** A record as JSON shows it: fields that hold an instant become ISO strings. */
export type RecordView = Readonly<Record<string, unknown>>;

const TIME_FIELD = /(?:At|From|To|Until)$|^at$/;

/** With its use folded in: `useCount`, `lastUsedAt` (null: never) and `score`, how alive it is now. */
export function memoryView(
  memory: Memory,
  usage: Usage,
  { now, settings }: { readonly now: number; readonly settings: DecaySettings },
): RecordView {
  return {
    ...withIsoTimes(memory),
    useCount: usage.useCount,
    lastUsedAt: usage.lastUsedAt === undefined ? null : toIso(usage.lastUsedAt),
    score: decayScore({ memory, usage, now, settings }),
  };
}

export function relationView(relation: Relation): RecordView {
  return withIsoTimes(relation);
}

export function issueView(issue: Issue): RecordView {
  return withIsoTimes(issue);
}

/** Our own lists of dated entries; what stands in `extra`, `metadata` or `notes` is shown as it is stored. */
const DATED_LISTS = ["provenance", "comments"];

function withIsoTimes(record: object): RecordView {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]: [string, unknown]) => [key, shown(key, value)]),
  );
}

function shown(key: string, value: unknown): unknown {
  if (typeof value === "number" && TIME_FIELD.test(key)) return toIso(value);
  if (!DATED_LISTS.includes(key) || !Array.isArray(value)) return value;
  return value.map((entry: object) => withIsoTimes(entry));
}
