import { acquireRunLease } from "../../scheduler/lease.ts";
import type { Parts } from "../../wire.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { withParts } from "../with-parts.ts";

export interface ReembedFlags {
  readonly dryRun?: true;
}

/** Vectors of the configured embedder for all memories that have none of it; what an interrupted pass has done is kept. */
export async function reembed(
  context: CommandContext,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<CommandResult> {
  const how = { mode: dryRun ? "read" : "write", create: false } as const;
  return await withParts(context, how, async (parts) => {
    const { store } = parts;
    const { embedder, stale, others } = await store.vectorState();
    const done = dryRun ? 0 : await renew(parts, stale);
    const left = dryRun ? stale : (await store.vectorState()).stale;
    return {
      document: {
        embedder,
        dryRun,
        stale,
        reembedded: done,
        left,
        others: Object.fromEntries(others),
      },
      text: () => textOf({ embedder, dryRun, stale, done, left }),
      exitCode: !dryRun && left > 0 ? 1 : 0,
      isIdle: stale === 0,
    };
  });
}

const TASK = "vectors";

async function renew({ store, system, clock, progress }: Parts, stale: number): Promise<number> {
  if (stale === 0) return 0;
  const { lease } = await acquireRunLease(store, system);
  await using _held = lease;
  progress.start(TASK, stale);
  const done = await store.reembed((count) => progress.advance(TASK, count));
  progress.finish(TASK);
  await store.maintain(clock.now());
  return done;
}

function textOf(counts: {
  readonly embedder: string;
  readonly dryRun: boolean;
  readonly stale: number;
  readonly done: number;
  readonly left: number;
}): string {
  const { embedder, dryRun, stale, done, left } = counts;
  if (stale === 0) return `all memories have vectors of ${embedder}`;
  if (dryRun) return `${stale} memories would get vectors of ${embedder}`;
  const rest = left === 0 ? "" : `; ${left} changed meanwhile and are left: run it again`;
  return `${done} memories have new vectors of ${embedder}${rest}`;
}
