import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { createMemoryVersionControl } from "../../src/adapters/memory/memory-version-control.ts";
import { canonicalJson } from "../../src/model/json.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import type { RealDeps } from "../agents/real-deps.ts";
import { createFixedSystem } from "../scheduler/fixed-system.ts";
import { createPromiseRun, exportLines } from "./promise-runs.ts";
import { CONTENT } from "./stop-content.ts";
import { NOW } from "./stores.ts";

export interface World {
  readonly deps: RunDeps;
  readonly notes: Map<string, string>;
}

/** Small batches: what is a single commit for so few memories becomes many, as for a large store. */
const CHANGES_PER_BATCH = 6;

export async function aWorld(real: RealDeps): Promise<World> {
  const notes = new Map<string, string>();
  const store = createMemoryStore({ embedder: real.embedder });
  const deps = await createPromiseRun({ real, store, content: CONTENT, notes });
  const versionControl = createMemoryVersionControl({ notes });
  return { notes, deps: { ...deps, versionControl, changesPerBatch: CHANGES_PER_BATCH } };
}

export async function stateOf({ deps, notes }: World): Promise<object> {
  const issues = await deps.store.read("issue");
  return {
    memories: (await exportLines(deps.store)).join(""),
    relations: canonicalJson(await deps.store.read("relation")),
    issues: canonicalJson(issues),
    notes: [...notes].sort(),
  };
}

/** The process that comes after one which was stopped. */
export function nextProcess(deps: RunDeps): RunDeps {
  const system = {
    ...createFixedSystem(NOW),
    processLabel: "test-host|boot|2|1",
    randomToken: () => "the-next",
    isAlive: () => "dead" as const,
  };
  return { ...deps, system };
}
