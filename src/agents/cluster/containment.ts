import { contains } from "../../text/containment.ts";
import { compareIds } from "../work-items.ts";
import { type Row, textOfRow } from "./units.ts";

/** Which texts hold every sentence of which others. Of two that hold each other, the first in code-unit order holds the second. */
export interface Containment {
  holds(whole: number, part: number): boolean;
  /** The texts that hold it and are held by none themselves. */
  outermost(part: number): readonly number[];
  /** Those of the rows that no other of them holds. */
  withoutParts(rows: readonly number[]): readonly number[];
  readonly pairs: readonly { readonly whole: number; readonly part: number }[];
}

/** A sentence in more texts than this is a phrase of the house, and finds nothing. */
const MOST_HOLDERS = 50;

export function findContainment(rows: readonly Row[]): Containment {
  const textOf = (at: number): string => {
    const row = rows[at];
    return row === undefined ? "" : textOfRow(row);
  };
  const wholesOf = new Map<number, Set<number>>();
  for (const [part, candidates] of candidatesByRow(rows).entries()) {
    const wholes = candidates.filter((whole) => {
      if (whole === part || !contains(textOf(whole), textOf(part))) return false;
      const isMutual = contains(textOf(part), textOf(whole));
      return !isMutual || compareIds(textOf(whole), textOf(part)) < 0;
    });
    if (wholes.length > 0) wholesOf.set(part, new Set(wholes));
  }
  const holds = (whole: number, part: number): boolean => wholesOf.get(part)?.has(whole) === true;
  return {
    holds,
    outermost: (part) => [...(wholesOf.get(part) ?? [])].filter((whole) => !wholesOf.has(whole)),
    withoutParts: (some) => some.filter((part) => !some.some((whole) => holds(whole, part))),
    pairs: [...wholesOf].flatMap(([part, wholes]) => [...wholes].map((whole) => ({ whole, part }))),
  };
}

/** By row: the rows that share its rarest sentence. Whoever holds every sentence holds that one. */
function candidatesByRow(rows: readonly Row[]): readonly (readonly number[])[] {
  const sentences = rows.map(({ reading }) => reading.sentences);
  const holders = new Map<string, number[]>();
  for (const [row, keys] of sentences.entries()) {
    for (const key of keys) {
      const known = holders.get(key);
      if (known) known.push(row);
      else holders.set(key, [row]);
    }
  }
  return sentences.map((keys) => {
    let fewest: readonly number[] | undefined;
    for (const key of keys) {
      const known = holders.get(key) ?? [];
      if (fewest === undefined || known.length < fewest.length) fewest = known;
    }
    return fewest === undefined || fewest.length > MOST_HOLDERS ? [] : fewest;
  });
}
