import { DAY_MS, type Instant } from "./instant.ts";
import {
  agentLabel,
  type Issue,
  PRIORITY_OF,
  standingOf,
  URGENCIES,
  type Urgency,
  urgencyLabel,
} from "./issue.ts";

/** True where a person has to decide: neither approved, nor held by somebody, nor merge work that goes on by itself. */
export function waitsForPerson(issue: Issue, now: Instant): boolean {
  if (standingOf(issue) !== "waiting") return false;
  if (issue.status === "in_progress") return isClaimOver(issue, now);
  return issue.status === "blocked" || !issue.labels.includes(agentLabel("merge"));
}

/** A claim whose lease has run out; one without a lease lasts. */
export function isClaimOver({ status, leaseUntil }: Issue, now: Instant): boolean {
  return status === "in_progress" && leaseUntil !== undefined && leaseUntil <= now;
}

/** How urgent it is by now; `notes.urgency` stays what was found. */
export function urgencyOf({ labels, notes }: Issue): Urgency {
  return URGENCIES.find((urgency) => labels.includes(urgencyLabel(urgency))) ?? notes.urgency;
}

/** The issue with another urgency in label and priority. */
export function withUrgency(issue: Issue, urgency: Urgency): Issue {
  const others = issue.labels.filter((label) => !label.startsWith("urgency:"));
  return {
    ...issue,
    priority: PRIORITY_OF[urgency],
    labels: [...others, urgencyLabel(urgency)],
  };
}

/** What waits for a person, counted three ways. */
export interface QueueCounts {
  readonly waiting: number;
  readonly byAgent: Readonly<Record<string, number>>;
  readonly byUrgency: Readonly<Record<Urgency, number>>;
  /** Since the issue was first filed. */
  readonly byAge: { readonly day: number; readonly week: number; readonly older: number };
}

export function countQueue(issues: readonly Issue[], now: Instant): QueueCounts {
  const byAgent: Record<string, number> = {};
  const byUrgency = { high: 0, medium: 0, low: 0 };
  const byAge = { day: 0, week: 0, older: 0 };
  const waiting = issues.filter((issue) => waitsForPerson(issue, now));
  for (const issue of waiting) {
    const days = (now - issue.createdAt) / DAY_MS;
    byAgent[issue.notes.agent] = (byAgent[issue.notes.agent] ?? 0) + 1;
    byUrgency[urgencyOf(issue)] += 1;
    byAge[days < 1 ? "day" : days <= 7 ? "week" : "older"] += 1;
  }
  return { waiting: waiting.length, byAgent, byUrgency, byAge };
}

/** `high 2, low 10; cluster 7, decay 5; 3 older than 7 days` */
export function queueWords({ byAgent, byUrgency, byAge }: QueueCounts): string {
  const listed = (counts: readonly (readonly [string, number])[]) =>
    counts
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  return [
    listed(URGENCIES.map((urgency) => [urgency, byUrgency[urgency]])),
    listed(Object.entries(byAgent).sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(byAge.older > 0 ? [`${byAge.older} older than 7 days`] : []),
  ].join("; ");
}
