import type { RunMeasures } from "../../model/run-measures.ts";

/** `memories 120 → 112, archived 3 → 11, text 14.2 kB → 13.1 kB, notes 40 → 43 (+2.1 kB)`; a number that stays is said once. */
export function sizeWords({ before, after, noteBytes }: RunMeasures): string {
  const grown =
    noteBytes === 0 ? "" : ` (${noteBytes > 0 ? "+" : "-"}${bytes(Math.abs(noteBytes))})`;
  return [
    `memories ${change(before.memories, after.memories)}`,
    `archived ${change(before.archived, after.archived)}`,
    `text ${change(bytes(before.bytes), bytes(after.bytes))}`,
    `notes ${change(before.notes, after.notes)}${grown}`,
  ].join(", ");
}

function change<T extends string | number>(before: T, after: T): string {
  return before === after ? String(after) : `${before} → ${after}`;
}

function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  return count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}
