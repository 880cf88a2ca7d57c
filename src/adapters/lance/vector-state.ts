import type { Embedder } from "../../ports/embedder.ts";
import type { VectorState } from "../../ports/memory-store.ts";
import { textColumn } from "./decode.ts";
import { quote } from "./escape.ts";
import type { Handle } from "./handle.ts";
import { scan } from "./read.ts";

/** Memories whose vector another embedder made, or none. */
export function isStale({ id }: Embedder): string {
  return `record = 'memory' AND (embedder IS NULL OR embedder <> ${quote(id)})`;
}

/** Asked before each recall, so it loads nothing of what writes. */
export async function readVectorState({ records, embedder }: Handle): Promise<VectorState> {
  const owners = await scan(records, {
    where: isStale(embedder),
    columns: ["embedder"],
    decode: (batch) => textColumn(batch, "embedder"),
  });
  const others = new Map<string, number>();
  for (const id of owners) {
    if (id !== null && !embedder.replaces?.(id)) others.set(id, (others.get(id) ?? 0) + 1);
  }
  return { embedder: embedder.id, stale: owners.length, others };
}
