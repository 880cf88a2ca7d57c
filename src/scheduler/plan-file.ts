import { z } from "zod";
import { changeSchema } from "../model/change.ts";
import { SlowwaveError } from "../model/errors.ts";
import { hashOf, hashOfList } from "../model/hash.ts";
import { toIso } from "../model/instant.ts";
import { instantSchema } from "../model/instant-schema.ts";
import { URGENCIES } from "../model/issue.ts";
import { jsonValueSchema } from "../model/json-value-schema.ts";
import { modelReplySchema } from "../model/model-reply.ts";
import type { Snapshot } from "../ports/memory-store.ts";
import { memberImages } from "./member-images.ts";
import type { DecidedProposal, PipelinePlan } from "./plan.ts";
import type { RunDeps } from "./run-deps.ts";

/** Raised whenever an older reader would misread a plan. */
const FORMAT = 1;

const count = z.int().min(0);

const proposalSchema = z.object({
  id: z.string(),
  agent: z.string(),
  namespace: z.string(),
  action: z.string(),
  fate: z.enum(["apply", "wait"]),
  why: z.string().exactOptional(),
  confidence: z.number(),
  reason: z.string(),
  /** The model's replies that it was made of; `apply` never asks for others. */
  replies: z.array(modelReplySchema).readonly().exactOptional(),
  dependsOn: z.array(z.string()).readonly(),
  finding: z.object({
    title: z.string(),
    urgency: z.enum(URGENCIES),
    members: z.array(z.object({ id: z.string(), content: z.string() })).readonly(),
    scores: z.record(z.string(), z.number()).readonly(),
  }),
  results: z.array(jsonValueSchema).readonly(),
  /** What is written, to the letter. */
  changes: z.array(changeSchema).readonly(),
});

const agentSchema = z.object({
  scanned: count,
  results: z.array(jsonValueSchema).readonly(),
  held: z.record(z.string(), count).readonly(),
  failures: z.array(z.object({ itemId: z.string(), message: z.string() })).readonly(),
});

const planFileSchema = z.object({
  format: z.literal(FORMAT),
  planId: z.string(),
  /** For people; nothing is read from it. */
  summary: z.array(z.string()).readonly(),
  storeId: z.string(),
  baseVersion: z.object({ records: count, uses: count }),
  /** The clock that it was made by. */
  asOf: instantSchema,
  settingsHash: z.string(),
  /** What the agents went by. */
  settings: z.record(z.string(), jsonValueSchema).readonly(),
  embedder: z.string(),
  agents: z.record(z.string(), agentSchema).readonly(),
  proposals: z.array(proposalSchema).readonly(),
  notes: z.array(z.string()).readonly(),
  /** Hashes of the memories that the proposals are about, as they were, by record key. */
  expects: z.record(z.string(), z.string()).readonly(),
  /** Of everything above. */
  hash: z.string(),
});
export type PlanFile = Readonly<z.infer<typeof planFileSchema>>;

/** A plan as it is kept, to be looked at and applied later. */
export function createPlanFile(input: {
  readonly plan: PipelinePlan;
  readonly snapshot: Snapshot;
  readonly deps: RunDeps;
  readonly summary: readonly string[];
}): PlanFile {
  const { plan, snapshot, deps, summary } = input;
  const stamp = toIso(plan.asOf).replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  const body = {
    format: FORMAT,
    planId: `plan-${stamp}-${plan.hash.slice(0, 6)}`,
    summary,
    storeId: snapshot.storeId,
    baseVersion: plan.baseVersion,
    asOf: plan.asOf,
    settingsHash: hashOf(deps.settings, 16),
    settings: deps.settings,
    embedder: deps.embedderId,
    agents: plan.agents,
    proposals: plan.decided.flatMap(proposalOf),
    notes: plan.notes,
    expects: memberImages(plan.decided, snapshot.memories),
  };
  // As it will be read back: results are data of the agents' own, and JSON drops what has no value.
  const written = planFileSchema.parse({ ...JSON.parse(JSON.stringify(body)), hash: "" });
  return { ...written, hash: hashOfBody(written) };
}

function proposalOf({ proposal, fate, changes, why }: DecidedProposal) {
  if (fate !== "apply" && fate !== "wait") return [];
  return [{ ...proposal, fate, changes, ...(why === undefined ? {} : { why }) }];
}

function hashOfBody(body: object): string {
  return hashOfList(
    Object.entries(body)
      .filter(([field]) => field !== "hash")
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/**
 * Reads a plan back, and holds it to its hash.
 * @throws SlowwaveError `input` for anything but a plan of this format as it was written.
 */
export function parsePlanFile(text: string, name: string): PlanFile {
  const value = parseJson(text, name);
  const { format } = z
    .looseObject({ format: z.unknown() })
    .catch({ format: undefined })
    .parse(value);
  if (typeof format === "number" && format > FORMAT) {
    throw new SlowwaveError(
      "input",
      `${name}: a plan of format ${format}; this version reads ${FORMAT}`,
      {
        hint: "Apply it with the version of slowwave that made it, or make a new plan.",
      },
    );
  }
  const parsed = planFileSchema.safeParse(value);
  if (!parsed.success) throw notAPlan(name, parsed.error);
  if (hashOfBody(Object(value)) !== parsed.data.hash) {
    throw new SlowwaveError("input", `${name}: the plan was edited after it was made`, {
      hint: "Make a new plan; `apply --only` takes a part of one.",
    });
  }
  return parsed.data;
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notAPlan(name, cause);
  }
}

function notAPlan(name: string, cause: unknown): SlowwaveError {
  return new SlowwaveError("input", `${name}: this is no plan`, {
    cause,
    hint: "`slowwave plan --out FILE` writes one.",
  });
}

/** The proposals as the runner takes them. */
export function decidedOf(file: PlanFile): readonly DecidedProposal[] {
  return file.proposals.map(({ fate, why, ...proposal }) => ({
    proposal,
    fate,
    changes: proposal.changes,
    ...(why === undefined ? {} : { why }),
  }));
}
