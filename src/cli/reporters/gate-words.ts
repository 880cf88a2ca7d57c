/** Reasons of the agents' gates and caps, as a person would say them after a number. */
const WORDS: Readonly<Record<string, string>> = {
  archived: "archived",
  below_threshold: "below the threshold",
  capped: "over today's cap, they wait for the next run",
  chatter: "only chatter",
  clock_leap: "held, as the clock has leapt: nobody could use them meanwhile",
  conflict: "contradicting each other",
  declined: "declined by a person",
  disputed: "in a contradiction that is not resolved",
  empty: "without a word in them",
  expired: "expired",
  fragment: "only a fragment",
  heartbeat: "only a heartbeat",
  issues_capped: "over today's cap on new issues",
  done: "settled before",
  kinds_differ: "of different kinds",
  last_of_scope: "the last ones left",
  limit: "over --limit",
  link_limit: "over the links a memory may have",
  loser_pinned: "approved contradictions whose losing side is pinned",
  low_confidence: "not certain enough",
  merged_already: "merged already",
  model_keep_separate: "that the language model would keep separate, left to a person",
  model_rejected: "for which the language model gave no usable answer, left to a person",
  model_unavailable: "waiting for the language model, which did not answer",
  needs_a_held_proposal: "waiting for another step",
  near_duplicate: "saying what a note says already, which lists them",
  never_used: "never used",
  no_usage_signal: "without any use to judge by",
  no_vault: "without a vault to write to",
  out_of_scope: "outside the chosen scope",
  pinned: "pinned",
  policy: "kept for review by policy",
  question: "only a question",
  raw_metadata: "raw data rather than text",
  secret: "with a secret in them",
  shell_transcript: "output of a command",
  source_changed: "changed since they were found",
  source_gone: "with a source that is gone",
  too_long: "too long to merge",
  too_young: "too young",
  undecided: "approved contradictions in which neither side is the newer or better believed",
  two_promoted: "with two notes or pins among them, which are linked instead",
  would_lose: "kept apart, as merging would lose something",
};

/** One reason, after a number. */
export function gateWord(reason: string): string {
  return WORDS[reason] ?? reason.replaceAll("_", " ");
}

/** `12 too young, 30 never used`, the most frequent first. */
export function gateWords(gates: Readonly<Record<string, number>>): string {
  return Object.entries(gates)
    .filter(([, count]) => count > 0)
    .sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1))
    .map(([reason, count]) => `${count} ${gateWord(reason)}`)
    .join(", ");
}
