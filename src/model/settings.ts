import { z } from "zod";
import { DEFAULT_SETTINGS } from "./default-settings.ts";
import { MEMORY_KINDS } from "./memory.ts";

const unit = z.number().min(0).max(1);
const positive = z.number().positive();
const count = z.int().min(0);
const { decay, cluster, merge, contradictions, promote, relations } = DEFAULT_SETTINGS;

const decaySettingsSchema = z.strictObject({
  model: z
    .enum(["power_law", "exponential", "two_component"])
    .default(decay.model)
    .describe("shape of forgetting"),
  halfLifeDays: positive
    .default(decay.halfLifeDays)
    .describe("days until an unused memory's score halves"),
  halfLifeDaysByKind: z
    .partialRecord(z.enum(MEMORY_KINDS), positive)
    .default(decay.halfLifeDaysByKind),
  halfLifeDaysByTag: z.record(z.string(), positive).default(decay.halfLifeDaysByTag),
  highBelow: unit.default(decay.highBelow),
  mediumBelow: unit.default(decay.mediumBelow),
  lowBelow: unit.default(decay.lowBelow),
  forgetBelow: unit
    .default(decay.forgetBelow)
    .describe("score below which an unused memory may be archived"),
  minAgeDays: z
    .number()
    .min(0)
    .default(decay.minAgeDays)
    .describe("a younger memory is no gc_candidate"),
  archivePercentPerDay: z.number().min(0).max(100).default(decay.archivePercentPerDay),
  archivesPerDay: count.default(decay.archivesPerDay),
  issueBatch: z
    .int()
    .min(1)
    .max(500)
    .default(decay.issueBatch)
    .describe("memories in one decay issue"),
});
export type DecaySettings = Readonly<z.infer<typeof decaySettingsSchema>>;

const clusterSettingsSchema = z.strictObject({
  similarityThreshold: unit
    .default(cluster.similarityThreshold)
    .describe("calibrated similarity for a merge group (complete link)"),
  autoMergeCohesion: unit.default(cluster.autoMergeCohesion),
  linkThreshold: unit
    .default(cluster.linkThreshold)
    .describe("calibrated similarity from which a pair is looked at"),
  minClusterSize: z.int().min(2).default(cluster.minClusterSize),
  maxClusterSize: z
    .int()
    .min(2)
    .default(cluster.maxClusterSize)
    .describe("counting the leaves of merged memories"),
  exactUpTo: count
    .default(cluster.exactUpTo)
    .describe(
      "texts of a namespace up to which all are compared; beyond, 99 of 100 pairs are found",
    ),
  cautiousCosine: unit
    .default(cluster.cautiousCosine)
    .describe("raw cosine for auto-merge while the embedder has no fitted profile"),
});

const mergeSettingsSchema = z.strictObject({
  maxCharacters: z
    .int()
    .min(100)
    .default(merge.maxCharacters)
    .describe("longer groups are linked instead of merged"),
  mergesPerDay: count.default(merge.mergesPerDay),
});

const contradictionSettingsSchema = z.strictObject({
  strategy: z
    .enum(["flag_all", "keep_newer", "keep_higher_trust"])
    .default(contradictions.strategy)
    .describe("flag_all: a person decides; else the older, or the less believed, is archived"),
  threshold: unit
    .default(contradictions.threshold)
    .describe("certainty from which the strategy settles a contradiction unasked"),
});

const promoteSettingsSchema = z.strictObject({
  scoreAtLeast: z.number().min(0).default(promote.scoreAtLeast),
  usesAtLeast: z.int().min(1).default(promote.usesAtLeast),
  usesWithinDays: positive.default(promote.usesWithinDays),
  minAgeDays: z.number().min(0).default(promote.minAgeDays),
});

const relationsSettingsSchema = z.strictObject({
  perMemory: z
    .int()
    .min(1)
    .default(relations.perMemory)
    .describe("links a memory may have from this agent"),
  hubMinimum: z.int().min(1).default(relations.hubMinimum),
  hubPercent: z
    .number()
    .min(0)
    .max(100)
    .default(relations.hubPercent)
    .describe("an entity held by more memories than both links nothing"),
});

/** What the agents and the gate go by. Every number of the pipeline is here; `DEFAULT_SETTINGS` says what it is by default. */
export const settingsSchema = z.strictObject({
  decay: decaySettingsSchema.prefault({}),
  cluster: clusterSettingsSchema.prefault({}),
  merge: mergeSettingsSchema.prefault({}),
  contradictions: contradictionSettingsSchema.prefault({}),
  promote: promoteSettingsSchema.prefault({}),
  relations: relationsSettingsSchema.prefault({}),
  issuesPerDay: count
    .default(DEFAULT_SETTINGS.issuesPerDay)
    .describe("new issues in 24 hours; exact copies are exempt"),
  journalDays: z
    .int()
    .min(31)
    .default(DEFAULT_SETTINGS.journalDays)
    .describe("how long runs can be undone; what they did is forgotten after it"),
  applyConfidence: unit.default(DEFAULT_SETTINGS.applyConfidence),
  reviewConfidence: unit
    .default(DEFAULT_SETTINGS.reviewConfidence)
    .describe("below this a proposal waits for a person"),
  /** `<agent>.<action>` or `<agent>` → `review`: always wait for a person. */
  policy: z.record(z.string(), z.literal("review")).default(DEFAULT_SETTINGS.policy),
});
export type Settings = Readonly<z.infer<typeof settingsSchema>>;
