import { type Settings, settingsSchema } from "../model/settings.ts";
import type { Agent } from "../ports/agent.ts";
import { refuseOtherVectors } from "../scheduler/refuse-other-vectors.ts";
import type { RunDeps } from "../scheduler/run-deps.ts";
import type { Parts } from "../wire.ts";

/** What the scheduler needs of the parts; `agents` replaces the built-in five. */
export function runDepsOf(
  parts: Parts,
  options: { readonly settings?: Settings; readonly agents?: readonly Agent<unknown>[] } = {},
): RunDeps {
  const { store, mirror, vault, loadNoteFormat, versionControl, clock, system, progress } = parts;
  const { agents } = options;
  return {
    store,
    ...(mirror ? { mirror } : {}),
    ...(vault ? { vault } : {}),
    loadNoteFormat,
    ...(versionControl ? { versionControl } : {}),
    createAgents: async (how) => {
      if (agents !== undefined) return agents;
      await refuseOtherVectors(store);
      return await parts.createAgents(how);
    },
    settings: options.settings ?? parts.config.settings,
    embedderId: parts.embedder.id,
    clock,
    system,
    progress,
  };
}

/** The configured settings with some numbers replaced, checked like a configuration file. */
export function overrideSettings(
  settings: Settings,
  overrides: { readonly cluster?: Partial<Settings["cluster"]> },
): Settings {
  return settingsSchema.parse({
    ...settings,
    cluster: { ...settings.cluster, ...overrides.cluster },
  });
}
