import { hashOf } from "../model/hash.ts";
import type { Memory } from "../model/memory.ts";
import { recordKey } from "../ports/store-rules.ts";
import { keysOf } from "./changes.ts";
import type { DecidedProposal } from "./plan.ts";

/** Hashes of the memories that proposals are about, also where they do not change them: a link rests on both its ends. */
export function memberImages(
  decided: readonly DecidedProposal[],
  memories: readonly Memory[],
): Readonly<Record<string, string>> {
  const wanted = new Set(decided.flatMap(memberKeys));
  const images = memories
    .map((memory) => [recordKey("memory", memory), memory] as const)
    .filter(([key]) => wanted.has(key))
    .map(([key, memory]) => [key, hashOf(memory)] as const);
  return Object.fromEntries(images);
}

/** Keys of the memories that a proposal is about. */
export function memberKeys({ proposal, changes }: DecidedProposal): readonly string[] {
  if (changes.length === 0) return [];
  return proposal.finding.members.map(({ id }) =>
    JSON.stringify(["memory", proposal.namespace, id]),
  );
}

/** Hashes of what the plan itself makes of memories, by key: where one is found so, the plan was applied before. */
export function plannedImages(
  decided: readonly DecidedProposal[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const images = new Map<string, Set<string>>();
  for (const change of decided.flatMap((one) => one.changes)) {
    if (change.kind !== "memory.put" || change.after === null) continue;
    const key = keysOf(change).join();
    images.set(key, (images.get(key) ?? new Set()).add(hashOf(change.after)));
  }
  return images;
}
