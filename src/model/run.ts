import { z } from "zod";
import { changeSchema } from "./change.ts";
import { instantSchema } from "./instant-schema.ts";
import { issueSchema } from "./issue-schema.ts";
import { modelReplySchema, modelUseSchema } from "./model-reply.ts";
import { runMeasuresSchema } from "./run-measures.ts";

const count = z.int().min(0);

const agentCountsSchema = z.object({
  scanned: count,
  /** Proposals with changes. */
  planned: count,
  applied: count,
  /** Proposals that wait for a person. */
  waiting: count,
  /** Items that a gate or cap held back, each counted by reason in `gates`. */
  skipped: count,
  failed: count,
  /** Why items were held back: reason → how many. */
  gates: z.record(z.string(), count).readonly(),
});
export type AgentCounts = Readonly<z.infer<typeof agentCountsSchema>>;

export const RUN_STATUSES = ["running", "completed", "failed", "interrupted"] as const;

export const runSchema = z.object({
  id: z.string().min(1),
  /**
   * `pipeline` covers all five agents; `agent` one of them; `undo` takes back another run; `apply` carries out a plan made earlier. Only
   * completed pipelines count for the interval.
   */
  scope: z.enum(["pipeline", "agent", "undo", "apply"]),
  status: z.enum(RUN_STATUSES),
  asOf: instantSchema,
  startedAt: instantSchema,
  finishedAt: instantSchema.exactOptional(),
  agents: z.record(z.string(), agentCountsSchema).readonly(),
  /** Things a person should know: the vault is missing, decay has no usage signal, … */
  notes: z.array(z.string()).readonly(),
  planHash: z.string(),
  configHash: z.string(),
  embedder: z.string(),
  /** What it asked of a language model, where it had one. */
  modelUse: modelUseSchema.exactOptional(),
  measures: runMeasuresSchema.exactOptional(),
  /** On the machine's clock, milliseconds; absent while it runs, and of a run that was killed. */
  tookMs: count.exactOptional(),
  /** Of an undo: the run that it takes back. */
  undoes: z.string().exactOptional(),
  revision: z.int().min(1),
});
export type Run = Readonly<z.infer<typeof runSchema>>;

const journalStepSchema = z.object({
  proposalId: z.string(),
  agent: z.string(),
  action: z.string(),
  namespace: z.string(),
  confidence: z.number(),
  reason: z.string(),
  /** Of a language model, where one was asked. */
  replies: z.array(modelReplySchema).readonly().exactOptional(),
  /** Of the finding, where it is about memories: what undo declines by. */
  fingerprint: z.string().exactOptional(),
  /** Ids of the finding's memories. */
  memoryIds: z.array(z.string()).readonly().exactOptional(),
  /** Keys of the records and notes that the step wrote. */
  touches: z.array(z.string()).readonly().exactOptional(),
});
export type JournalStep = Readonly<z.infer<typeof journalStepSchema>>;

/**
 * One batch of a run: what was applied, why, and with which images. The journal is the audit trail, the source of undo, and, while
 * `prepared`, what recovery rolls forward or back.
 */
export const journalEntrySchema = z.object({
  /** `<run>/<batch>`, batches counted from 1. */
  id: z.string().min(1),
  runId: z.string().min(1),
  batch: z.int().min(1),
  state: z.enum(["prepared", "applied", "rolled_back"]),
  at: instantSchema,
  steps: z.array(journalStepSchema).readonly(),
  /** The folded changeset: per record the first `before` and the last `after`. */
  changes: z.array(changeSchema).readonly(),
  /** Older than the journal is kept: only what it wrote last into notes is left of it. */
  trimmed: z.literal(true).exactOptional(),
  revision: z.int().min(1),
});
export type JournalEntry = Readonly<z.infer<typeof journalEntrySchema>>;

/** What a journal entry says of what was done, without the images, which are most of it. */
export type JournalSteps = Omit<JournalEntry, "changes">;

/** Work outside the store that a committed batch still owes: the git commit of a run, tracker operations. */
export const outboxItemSchema = z.object({
  /** `git:<run>` or `tracker:<operation>`. */
  id: z.string().min(1),
  runId: z.string().min(1),
  kind: z.enum(["git", "tracker"]),
  state: z.enum(["open", "done", "failed"]),
  at: instantSchema,
  /** git: note paths written by the run, with the hash of each note's text, or null where it was moved away. */
  paths: z.array(z.object({ path: z.string(), hash: z.string().nullable() })).readonly(),
  /** tracker: the issue that changed, and what it was before; null where it is new, or the row is done. */
  issue: z
    .object({ namespace: z.string(), id: z.string(), before: issueSchema.nullable() })
    .exactOptional(),
  error: z.string().exactOptional(),
  revision: z.int().min(1),
});
export type OutboxItem = Readonly<z.infer<typeof outboxItemSchema>>;
