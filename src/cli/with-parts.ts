import type { Config } from "../config/config.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";
import { parseInstant } from "../model/instant.ts";
import type { Progress } from "../ports/progress.ts";
import type { OpenOptions, Parts } from "../wire.ts";
import type { CommandContext } from "./command-context.ts";
import { createProgress, SILENT_PROGRESS } from "./progress.ts";

type HowToOpen = Pick<OpenOptions, "mode" | "create" | "languageModel" | "rateLimit">;

/** Opens what the flags name, works with it, and closes it whatever happened. */
export async function withParts<T>(
  context: CommandContext,
  how: HowToOpen,
  work: (parts: Parts) => Promise<T>,
): Promise<T> {
  const parts = await context.openParts({
    config: await configOf(context),
    ...how,
    ...clockOf(context),
    progress: progressOf(context),
  });
  try {
    return await work(parts);
  } finally {
    await parts.close();
  }
}

export function progressOf({ globals, io }: CommandContext): Progress {
  return globals.quiet ? SILENT_PROGRESS : createProgress(io.stderr);
}

export async function configOf(context: CommandContext): Promise<Config> {
  return await loadConfig(sourcesOf(context));
}

export function sourcesOf({ io, globals }: CommandContext): ConfigSources {
  const { store, vault, namespace, config } = globals;
  return {
    ...(config === undefined ? {} : { file: config }),
    env: io.env,
    flags: { store, vault, namespace },
    cwd: io.cwd,
  };
}

export function clockOf({ globals }: CommandContext): Pick<OpenOptions, "asOf"> {
  if (globals.asOf === undefined) return {};
  return { asOf: parseInstant(globals.asOf, "--as-of") };
}
