import { tmpdir } from "node:os";
import path from "node:path";
import { createEmbeddedTracker } from "../adapters/issues-embedded/create-embedded-tracker.ts";
import { createLock } from "../adapters/lance/lock.ts";
import type { Config } from "../config/config.ts";
import { hashOf } from "../model/hash.ts";
import type { IssueMirror, IssueTracker } from "../ports/issue-tracker.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { System } from "../ports/system.ts";

/** Opening asks beads nothing: what never looks at an issue needs no `bd`. */
export async function openTracker(opening: {
  readonly store: MemoryStore;
  readonly system: System;
  readonly options: { readonly config: Config; readonly rateLimit?: number };
}): Promise<{ readonly tracker: IssueTracker; readonly mirror?: IssueMirror }> {
  const { store, system, options } = opening;
  const { tracker, rateLimit } = options.config;
  if (tracker.kind === "embedded" || tracker.directory === undefined) {
    return { tracker: createEmbeddedTracker(store) };
  }
  const { createBeadsTracker } = await import("../adapters/issues-beads/create-beads-tracker.ts");
  const { createPacer } = await import("../scheduler/pacer.ts");
  const pacer = createPacer(options.rateLimit ?? rateLimit, system);
  const never = new AbortController().signal;
  const lockFile = path.join(tmpdir(), `slowwave-beads-${hashOf(tracker.directory, 16)}.lock`);
  const lock = createLock(lockFile, 0);
  const beads = createBeadsTracker({
    command: tracker.command,
    folder: tracker.directory,
    storeId: store.storeId,
    actor: `slowwave#${hashOf(system.randomToken(), 8)}`,
    env: process.env,
    pace: () => pacer.take(never),
    exclusive: (work) => lock.runAlone(work),
  });
  return { tracker: beads, mirror: beads };
}
