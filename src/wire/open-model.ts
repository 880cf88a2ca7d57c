import type { AgentDeps } from "../agents/agent-deps.ts";
import type { Config } from "../config/config.ts";
import type { Progress } from "../ports/progress.ts";
import type { System } from "../ports/system.ts";

/** A model for one run: its ceilings, its pace and its breaker count from here. */
export async function openModel(
  {
    config,
    languageModel = true,
    rateLimit = config.rateLimit,
  }: {
    readonly config: Config;
    readonly languageModel?: boolean;
    readonly rateLimit?: number;
  },
  system: System,
  progress: Progress,
): Promise<Pick<AgentDeps, "model">> {
  const { llm } = config;
  if (llm === undefined || !languageModel) return {};
  const { createOpenAiModel } = await import("../adapters/openai/create-openai-model.ts");
  const { createPacer } = await import("../scheduler/pacer.ts");
  const pacer = createPacer(rateLimit, system);
  const model = createOpenAiModel({
    provider: llm.provider,
    endpoint: llm.endpoint,
    model: llm.model,
    key: llm.apiKey?.reveal(),
    timeoutMs: llm.timeoutSeconds * 1000,
    ceilings: llm,
    cacheFolder: llm.cacheFolder,
    system,
    pace: (signal) => pacer.take(signal),
    onNote: (note) => progress.note(note),
  });
  return { model };
}
