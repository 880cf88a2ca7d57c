import { DAY_MS, HOUR_MS } from "./instant.ts";
import type { Memory } from "./memory.ts";
import type { DecaySettings } from "./settings.ts";
import type { Usage } from "./use.ts";

/**
 * How alive a memory is: `(useCount + 1)^0.6 · f(Δt) · strength`, Δt since the last use (or creation), clamped at 0. The form and its
 * constants are CortexGraph's. A memory never used scores its strength on the day it is made and falls to half after one half-life.
 */
export function decayScore(input: {
  readonly memory: Memory;
  readonly usage: Usage;
  readonly now: number;
  readonly settings: DecaySettings;
}): number {
  const { memory, usage, now, settings } = input;
  const last = Math.max(
    usage.lastUsedAt ?? memory.createdAt,
    memory.lastReviewedAt ?? memory.createdAt,
  );
  const ageDays = Math.max(0, now - last) / DAY_MS;
  return (usage.useCount + 1) ** 0.6 * decayFactor(ageDays, memory, settings) * memory.strength;
}

function decayFactor(ageDays: number, memory: Memory, settings: DecaySettings): number {
  const halfLife = halfLifeDays(memory, settings);
  switch (settings.model) {
    case "power_law": {
      const scale = halfLife / (2 ** (1 / 1.1) - 1);
      return (1 + ageDays / scale) ** -1.1;
    }
    case "exponential":
      return 2 ** (-ageDays / halfLife);
    case "two_component": {
      const fastDays = (12 * HOUR_MS) / DAY_MS;
      return 0.7 * 2 ** (-ageDays / fastDays) + 0.3 * 2 ** (-ageDays / 7);
    }
  }
}

/** A tag's half-life wins over its kind's, the longest of several tags' wins: a memory is never forgotten faster than its best reason to keep it. */
function halfLifeDays(memory: Memory, settings: DecaySettings): number {
  const byTag = memory.tags.flatMap((tag) => settings.halfLifeDaysByTag[tag] ?? []);
  if (byTag.length > 0) return Math.max(...byTag);
  return settings.halfLifeDaysByKind[memory.kind] ?? settings.halfLifeDays;
}
