import { z } from "zod";
import { MEMORY_KINDS } from "./memory.ts";

const unit = z.number().min(0).max(1);
const positive = z.number().positive();
const count = z.int().min(0);

const decaySettingsSchema = z.strictObject({
  model: z
    .enum(["power_law", "exponential", "two_component"])
    .default("power_law")
    .describe("shape of forgetting"),
  halfLifeDays: positive.default(3).describe("days until an unused memory's score halves"),
  halfLifeDaysByKind: z.partialRecord(z.enum(MEMORY_KINDS), positive).default({}),
  halfLifeDaysByTag: z.record(z.string(), positive).default({}),
  highBelow: unit.default(0.15),
  mediumBelow: unit.default(0.25),
  lowBelow: unit.default(0.35),
  forgetBelow: unit.default(0.05).describe("score below which an unused memory may be archived"),
  minAgeDays: z.number().min(0).default(7).describe("a younger memory is no gc_candidate"),
  archivePercentPerDay: z.number().min(0).max(100).default(5),
  archivesPerDay: count.default(100),
  issueBatch: z.int().min(1).max(500).default(50).describe("memories in one decay issue"),
});
export type DecaySettings = Readonly<z.infer<typeof decaySettingsSchema>>;

const clusterSettingsSchema = z.strictObject({
  similarityThreshold: unit
    .default(0.83)
    .describe("calibrated similarity for a merge group (complete link)"),
  autoMergeCohesion: unit.default(0.85),
  linkThreshold: unit
    .default(0.65)
    .describe("calibrated similarity from which a pair is looked at"),
  minClusterSize: z.int().min(2).default(2),
  maxClusterSize: z.int().min(2).default(12).describe("counting the leaves of merged memories"),
  exactUpTo: count
    .default(200_000)
    .describe(
      "texts of a namespace up to which all are compared; beyond, 99 of 100 pairs are found",
    ),
  cautiousCosine: unit
    .default(0.95)
    .describe("raw cosine for auto-merge while the embedder has no fitted profile"),
});

const mergeSettingsSchema = z.strictObject({
  maxCharacters: z
    .int()
    .min(100)
    .default(1500)
    .describe("longer groups are linked instead of merged"),
  mergesPerDay: count.default(1000),
});

const contradictionSettingsSchema = z.strictObject({
  strategy: z
    .enum(["flag_all", "keep_newer", "keep_higher_trust"])
    .default("flag_all")
    .describe("flag_all: a person decides; else the older, or the less believed, is archived"),
  threshold: unit
    .default(0.8)
    .describe("certainty from which the strategy settles a contradiction unasked"),
});

const promoteSettingsSchema = z.strictObject({
  scoreAtLeast: z.number().min(0).default(0.65),
  usesAtLeast: z.int().min(1).default(5),
  usesWithinDays: positive.default(14),
  minAgeDays: z.number().min(0).default(1),
});

const relationsSettingsSchema = z.strictObject({
  perMemory: z.int().min(1).default(10).describe("links a memory may have from this agent"),
  hubMinimum: z.int().min(1).default(20),
  hubPercent: z
    .number()
    .min(0)
    .max(100)
    .default(2)
    .describe("an entity held by more memories than both links nothing"),
});

/** What the agents and the gate go by. Every number of the pipeline is here, with its default. */
export const settingsSchema = z.strictObject({
  decay: decaySettingsSchema.prefault({}),
  cluster: clusterSettingsSchema.prefault({}),
  merge: mergeSettingsSchema.prefault({}),
  contradictions: contradictionSettingsSchema.prefault({}),
  promote: promoteSettingsSchema.prefault({}),
  relations: relationsSettingsSchema.prefault({}),
  issuesPerDay: count.default(500).describe("new issues in 24 hours; exact copies are exempt"),
  journalDays: z
    .int()
    .min(31)
    .default(365)
    .describe("how long runs can be undone; what they did is forgotten after it"),
  applyConfidence: unit.default(0.9),
  reviewConfidence: unit.default(0.7).describe("below this a proposal waits for a person"),
  /** `<agent>.<action>` or `<agent>` → `review`: always wait for a person. */
  policy: z.record(z.string(), z.literal("review")).default({}),
});
export type Settings = Readonly<z.infer<typeof settingsSchema>>;
