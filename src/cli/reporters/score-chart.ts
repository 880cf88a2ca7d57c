import type { RunMeasures } from "../../model/run-measures.ts";
import type { Paint } from "../paint.ts";

const WIDTH = 40;

/** Live memories by decay score, before and after a run: `█` for what is there now, `░` for what was and is not. */
export function scoreChart({ edges, before, after }: RunMeasures, paint: Paint): string[] {
  const most = Math.max(1, ...before.scores, ...after.scores);
  const rows = after.scores.map((now, bucket) => {
    const was = before.scores[bucket] ?? 0;
    const [solid, hollow] = [barOf(now, most), barOf(was, most)];
    return [
      rangeOf(edges, bucket).padEnd(12),
      String(was).padStart(7),
      String(now).padStart(7),
      `  ${paint.green("█".repeat(solid))}${paint.dim("░".repeat(Math.max(0, hollow - solid)))}`,
    ]
      .join("")
      .trimEnd();
  });
  return [paint.dim(`${"score".padEnd(12)}${"before".padStart(7)}${"after".padStart(7)}`), ...rows];
}

/** One memory among thousands still shows. */
function barOf(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(1, Math.round((count / most) * WIDTH));
}

function rangeOf(edges: readonly number[], bucket: number): string {
  const [low, high] = [edges[bucket - 1], edges[bucket]];
  if (low === undefined) return `below ${high ?? "1"}`;
  return high === undefined ? `${low} and up` : `${low} – ${high}`;
}
