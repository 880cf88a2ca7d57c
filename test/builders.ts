import type { Issue } from "../src/model/issue.ts";
import type { Memory } from "../src/model/memory.ts";
import type { Relation } from "../src/model/relation.ts";
import type { JournalEntry, OutboxItem, Run } from "../src/model/run.ts";
import type { Use } from "../src/model/use.ts";

/** 2026-03-02T09:00:00Z, the instant at which everything the builders make was made. */
export const BUILT_AT = 1_772_442_000_000;

export function aMemory(fields: Partial<Memory> = {}): Memory {
  return {
    id: "m1",
    namespace: "default",
    kind: "semantic",
    content: "Maria prefers green tea.",
    tags: [],
    entities: [],
    extra: {},
    createdAt: BUILT_AT,
    baseUseCount: 0,
    reviewCount: 0,
    strength: 1,
    pinned: false,
    disputed: false,
    status: "active",
    leaves: [],
    provenance: [],
    revision: 1,
    ...fields,
  };
}

export function aRelation(fields: Partial<Relation> = {}): Relation {
  return {
    id: "r1",
    namespace: "default",
    from: "m1",
    to: "m2",
    type: "related",
    strength: 0.5,
    metadata: {},
    createdAt: BUILT_AT,
    revision: 1,
    ...fields,
  };
}

export function anIssue(fields: Partial<Issue> = {}): Issue {
  return {
    id: "sw-1",
    namespace: "default",
    title: "2 memories look alike",
    status: "open",
    priority: 2,
    labels: ["consolidation", "consolidation:cluster", "urgency:medium"],
    notes: {
      agent: "cluster",
      action: "llm_review",
      memoryIds: ["m1", "m2"],
      urgency: "medium",
      reason: "alike, not the same",
      scores: { cohesion: 0.8 },
      details: {},
    },
    fingerprint: "fingerprint-1",
    createdAt: BUILT_AT,
    updatedAt: BUILT_AT,
    comments: [],
    revision: 1,
    ...fields,
  };
}

export function aUse(fields: Partial<Use> = {}): Use {
  return {
    id: "u1",
    namespace: "default",
    memoryId: "m1",
    kind: "recall",
    at: BUILT_AT,
    ...fields,
  };
}

export function aRun(fields: Partial<Run> = {}): Run {
  return {
    id: "run-1",
    scope: "pipeline",
    status: "completed",
    asOf: BUILT_AT,
    startedAt: BUILT_AT,
    agents: {},
    notes: [],
    planHash: "plan-hash",
    configHash: "config-hash",
    embedder: "hash-64@1",
    revision: 1,
    ...fields,
  };
}

export function aJournalEntry(fields: Partial<JournalEntry> = {}): JournalEntry {
  return {
    id: "run-1/1",
    runId: "run-1",
    batch: 1,
    state: "applied",
    at: BUILT_AT,
    steps: [],
    changes: [],
    revision: 1,
    ...fields,
  };
}

export function anOutboxItem(fields: Partial<OutboxItem> = {}): OutboxItem {
  return {
    id: "git:run-1",
    runId: "run-1",
    kind: "git",
    state: "open",
    at: BUILT_AT,
    paths: [],
    revision: 1,
    ...fields,
  };
}
