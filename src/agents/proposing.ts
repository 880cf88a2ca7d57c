import { hashOf } from "../model/hash.ts";
import type { Outcome, Proposal } from "../model/proposal.ts";

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
  return { dependsOn: [], changes: [], ...rest, id };
}

export function proposed<T>(draft: ProposalDraft<T>): Outcome<T> {
  return { kind: "proposal", proposal: propose(draft) };
}

/** A finding that is told and needs no write. */
export function report<T>(result: T): Outcome<T> {
  return { kind: "report", result };
}

/** An item that a gate or cap held back. */
export function hold(itemId: string, reason: string): Outcome<never> {
  return { kind: "held", itemId, reason };
}
