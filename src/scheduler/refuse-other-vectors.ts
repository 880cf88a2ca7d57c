import { SlowwaveError } from "../model/errors.ts";
import type { MemoryStore } from "../ports/memory-store.ts";

/**
 * Vectors of two models say nothing about each other: where the store has another model's, nothing is compared.
 * @throws SlowwaveError `config`
 */
export async function refuseOtherVectors(store: MemoryStore): Promise<void> {
  const { embedder, others } = await store.vectorState();
  const [other] = others;
  if (other === undefined) return;
  const [id, count] = other;
  throw new SlowwaveError(
    "config",
    `${count} memories have vectors of ${id}, and ${embedder} is configured: they cannot be compared`,
    {
      hint: "`slowwave reembed` computes them anew with the configured model; or configure the one that made them.",
    },
  );
}
