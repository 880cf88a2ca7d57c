import { configFileOf, loadConfig } from "../../config/load-config.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { sourcesOf } from "../with-parts.ts";

export async function showConfig(context: CommandContext): Promise<CommandResult> {
  const sources = sourcesOf(context);
  const config = await loadConfig(sources);
  const file = configFileOf(sources);
  const { stringify } = await import("yaml");
  return {
    document: { file, config },
    text: (paint) =>
      `${paint.dim(`# as it is in effect; the file would be ${file}`)}\n${stringify(config)}`,
  };
}
