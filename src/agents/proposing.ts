import { hashOf } from "../model/hash.ts";
import type { Outcome, Proposal } from "../model/proposal.ts";

/** One for all: a large store has a hundred thousand reports, which change nothing and need nothing. */
const NONE: readonly never[] = [];

export interface ProposalDraft<T>
  extends Omit<Proposal<T>, "id" | "dependsOn" | "changes">,
    Partial<Pick<Proposal<T>, "dependsOn" | "changes">> {
  /** What the step is about, as plain data: with agent, namespace and action it makes the id. */
  readonly subject: unknown;
}

/** A proposal whose id follows from the draft: the same work has the same id on every run. */
export function propose<T>(draft: ProposalDraft<T>): Proposal<T> {
  const { subject, ...rest } = draft;
  const { agent, namespace, action } = rest;
  const id = `${agent}:${action}:${hashOf([namespace, subject], 20)}`;
  return { dependsOn: NONE, changes: NONE, ...rest, id };
}

export function proposed<T>(draft: ProposalDraft<T>): Outcome<T> {
  return { kind: "proposal", proposal: propose(draft) };
}

/** An item that a gate or cap held back. */
export function hold(itemId: string, reason: string): Outcome<never> {
  return { kind: "held", itemId, reason };
}
