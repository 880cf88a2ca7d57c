import { z } from "zod";
import { instantSchema } from "./instant-schema.ts";
import { ISSUE_STATUSES, URGENCIES } from "./issue.ts";
import { jsonValueSchema } from "./json-value-schema.ts";

const issueNotesSchema = z.object({
  agent: z.string(),
  /** What was found or is proposed: `reinforce`, `auto_merge`, `llm_review`, `conflict`, `promote`, … */
  action: z.string(),
  memoryIds: z.array(z.string()).readonly(),
  urgency: z.enum(URGENCIES),
  reason: z.string(),
  /** Named numbers behind the finding, for example `cohesion`. */
  scores: z.record(z.string(), z.number()).readonly(),
  /** What else explains it: conflicts found, gate that held it, … */
  details: z.record(z.string(), jsonValueSchema).readonly(),
  /** Keys of the records and notes that wait for a person, with hashes of their images before and after: the agent makes them anew. */
  waiting: z.array(jsonValueSchema).readonly().exactOptional(),
  error: z.string().exactOptional(),
});

const issueCommentSchema = z.object({ author: z.string(), at: instantSchema, text: z.string() });

export const issueSchema = z.object({
  id: z.string().min(1).max(512),
  namespace: z.string().min(1).max(128),
  title: z.string().min(1).max(500),
  status: z.enum(ISSUE_STATUSES),
  priority: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  labels: z.array(z.string()).readonly(),
  notes: issueNotesSchema,
  /** Agent + sorted memory ids + hashes of their contents. Unique among issues that are not closed. */
  fingerprint: z.string().min(1),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  closedAt: instantSchema.exactOptional(),
  closeReason: z.string().exactOptional(),
  /** `agent:<name>` or `person:<name>`: a close by a person without the label `approved` declines the finding. */
  closedBy: z.string().exactOptional(),
  claimedBy: z.string().exactOptional(),
  claimToken: z.string().exactOptional(),
  leaseUntil: instantSchema.exactOptional(),
  comments: z.array(issueCommentSchema).readonly(),
  /** Created by a run that was undone: counts as declined. */
  undone: z.literal(true).exactOptional(),
  revision: z.int().min(1),
});
