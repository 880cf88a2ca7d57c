import type { ListedMemory } from "../api/memory-listing.ts";
import { memoryView, type RecordView } from "../api/memory-view.ts";
import type { Parts } from "../wire.ts";

/** A memory as the command line's JSON shows it. */
export function memoryDocument(parts: Parts, { memory, usage }: ListedMemory): RecordView {
  return memoryView(memory, usage, {
    now: parts.clock.now(),
    settings: parts.config.settings.decay,
  });
}
