import type { StaticEmbedder } from "../adapters/static-embedder/load-static-embedder.ts";
import type { Config } from "../config/config.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { Progress } from "../ports/progress.ts";
import type { System } from "../ports/system.ts";

/** The built-in embedder, or the configured one; calls of a server are paced from here. */
export async function openEmbedder(
  {
    config,
    rateLimit = config.rateLimit,
  }: { readonly config: Config; readonly rateLimit?: number },
  parts: {
    readonly builtIn: StaticEmbedder;
    readonly system: System;
    readonly progress: Progress;
  },
): Promise<Embedder> {
  const { embeddings } = config;
  if (embeddings === undefined) return parts.builtIn;
  const { openVectorCache } = await import("../adapters/vector-cache/open-vector-cache.ts");
  const { cacheFolder: folder } = embeddings;
  const onNote = (note: string): void => parts.progress.note(note);
  if (embeddings.provider === "local") {
    const { createLocalEmbedder, LOCAL_MODEL } = await import(
      "../adapters/local-embedder/create-local-embedder.ts"
    );
    const { id, dimensions } = LOCAL_MODEL;
    const cache = openVectorCache({ folder, scope: [id], dimensions });
    return createLocalEmbedder({ cache, onNote });
  }
  const { endpoint, model, dimensions } = embeddings;
  const { createOpenAiEmbedder } = await import("../adapters/openai/create-openai-embedder.ts");
  const { createPacer } = await import("../scheduler/pacer.ts");
  const pacer = createPacer(rateLimit, parts.system);
  return createOpenAiEmbedder({
    ...embeddings,
    key: embeddings.apiKey?.reveal(),
    timeoutMs: embeddings.timeoutSeconds * 1000,
    cache: openVectorCache({ folder, scope: [endpoint, model], dimensions }),
    system: parts.system,
    pace: (signal) => pacer.take(signal),
    onNote,
  });
}
