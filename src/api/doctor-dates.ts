import { DAY_MS, toIso } from "../model/instant.ts";
import type { Parts } from "../wire.ts";
import { advise, type Finding, fine } from "./doctor-finding.ts";

/** Memories dated ahead by more than a day, as an import would clamp them: an app whose clock was wrong may write them past every import. */
export async function checkDates({ store, clock }: Parts): Promise<Finding> {
  const now = clock.now();
  const ahead = (await store.read("memory")).filter(({ createdAt }) => createdAt > now + DAY_MS);
  const [first] = ahead.toSorted((a, b) => b.createdAt - a.createdAt);
  if (first === undefined) return fine("dates", "no memory is dated in the future");
  return advise(
    "dates",
    `${ahead.length} ${ahead.length === 1 ? "memory is" : "memories are"} dated in the future, up to ${toIso(first.createdAt)} (${first.id})`,
    "Until then they count as made now, and are neither forgotten nor promoted. Check the clock of what wrote them.",
  );
}
