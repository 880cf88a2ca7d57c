import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { profileFileOf } from "../../config/profile-file.ts";
import { SlowwaveError } from "../../model/errors.ts";
import { ISSUE_STATUSES } from "../../model/issue.ts";
import { fitProfile, type LabelledCosine } from "../../similarity/fit-profile.ts";
import { heldOutProfiles } from "../../similarity/held-out-profiles.ts";
import type { SimilarityProfile } from "../../similarity/profile.ts";
import { cosine } from "../../similarity/vectors.ts";
import { type Judge, openJudge } from "../../wire.ts";
import { labelsOfReviews } from "../calibrate/labels-of-reviews.ts";
import { type LabelErrors, measureLabels } from "../calibrate/measure-labels.ts";
import { type LabelledTexts, readLabels } from "../calibrate/read-labels.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { configOf, progressOf, withParts } from "../with-parts.ts";

export interface CalibrateFlags {
  readonly labels?: readonly string[];
  readonly reviews?: true;
  readonly write?: true;
}

/** Fewer say little: one wrong merge in thirty is more than three in a hundred already. */
const FEWEST = 30;

/** Fits the configured embedder's similarity profile to labelled pairs, and shows how a run would err with it. */
export async function calibrate(
  context: CommandContext,
  flags: CalibrateFlags,
): Promise<CommandResult> {
  const config = await configOf(context);
  const pairs = await collectLabels(context, flags);
  const counts = countLabels(pairs);
  refuseTooFew(counts);
  // The profile in use may be the very one that has to be replaced.
  const judge = await openJudge(config, { progress: progressOf(context), isCalibrating: true });
  const { embedder } = judge;
  const measured = await measure(pairs, judge);
  const file = profileFileOf(config, embedder.id);
  if (flags.write && file !== undefined) await writeProfile(file, measured.profile);
  const written = flags.write ? file : undefined;
  return {
    document: { embedder: embedder.id, counts, ...measured, ...(written ? { written } : {}) },
    text: () => textOf({ id: embedder.id, counts, measured, written, file }),
  };
}

async function collectLabels(
  context: CommandContext,
  { labels = [], reviews }: CalibrateFlags,
): Promise<readonly LabelledTexts[]> {
  if (labels.length === 0 && !reviews) {
    throw new SlowwaveError("usage", "expected --labels <file>, --reviews, or both");
  }
  const given = (
    await Promise.all(labels.map((file) => readLabels(path.resolve(context.io.cwd, file))))
  ).flat();
  if (!reviews) return given;
  return await withParts(context, { mode: "read" }, async ({ store, tracker, config }) => {
    const { namespace } = config;
    const filter = namespace === undefined ? {} : { namespace };
    const issues = await tracker.query({ ...filter, status: ISSUE_STATUSES });
    return [...given, ...labelsOfReviews(issues, await store.read("memory", filter))];
  });
}

type Counts = Readonly<Record<LabelledTexts["label"], number>>;

function countLabels(pairs: readonly LabelledTexts[]): Counts {
  const counts = { duplicate: 0, contradiction: 0, related: 0, unrelated: 0 };
  for (const { label } of pairs) counts[label] += 1;
  return counts;
}

function refuseTooFew({ duplicate, related, unrelated }: Counts): void {
  const others = related + unrelated;
  if (duplicate >= FEWEST && others >= FEWEST) return;
  throw new SlowwaveError(
    "input",
    `expected at least ${FEWEST} duplicates and ${FEWEST} related or unrelated pairs, got ${duplicate} and ${others}`,
    { hint: "Label more pairs, of the kinds that your memories have; the hardest teach the most." },
  );
}

interface Measured {
  readonly profile: SimilarityProfile;
  /** With the profile that is in use now. */
  readonly before: LabelErrors;
  readonly inSample: LabelErrors;
  readonly crossValidated: LabelErrors;
}

async function measure(pairs: readonly LabelledTexts[], judge: Judge): Promise<Measured> {
  const texts = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
  const vectors = await judge.embedder.embed(texts);
  const vectorOf = new Map(texts.map((text, index) => [text, vectors[index]]));
  const labelled = pairs.map((pair) => {
    const [one, other] = [vectorOf.get(pair.a), vectorOf.get(pair.b)];
    return { ...pair, cosine: one === undefined || other === undefined ? 0 : cosine(one, other) };
  });
  const { profile, heldOut } = fitBoth(labelled, judge.embedder.id);
  refuseOneSided(labelled, profile);
  const errorsWith = (profileAt: (index: number) => SimilarityProfile | undefined): LabelErrors =>
    measureLabels(
      labelled.map((pair, index) => ({
        label: pair.label,
        judgement: judge.judge(pair, profileAt(index)),
      })),
    );
  return {
    profile,
    before: errorsWith(() => undefined),
    inSample: errorsWith(() => profile),
    crossValidated: errorsWith((index) => heldOut[index]),
  };
}

/** Pairs that look alike and are not the same: without them nothing says how high a merge has to be set. */
const FEWEST_HARD = 5;

function refuseOneSided(pairs: readonly LabelledCosine[], { errors }: SimilarityProfile): void {
  const link = errors[0]?.cosine ?? 1;
  const others = pairs.filter(({ label }) => label === "related" || label === "unrelated");
  const hard = others.filter((pair) => pair.cosine >= link).length;
  if (hard >= FEWEST_HARD) return;
  throw new SlowwaveError(
    "input",
    `expected at least ${FEWEST_HARD} related or unrelated pairs that look as alike as the duplicates (cosine ${link} and more), got ${hard} of ${others.length}`,
    { hint: "Label pairs of memories about one thing that say different things of it." },
  );
}

function fitBoth(pairs: readonly LabelledCosine[], id: string) {
  try {
    return { profile: fitProfile(pairs, id), heldOut: heldOutProfiles(pairs, id) };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new SlowwaveError("input", `${id} cannot tell these pairs apart`, {
      cause,
      hint: "Look for wrong labels, or configure another embedding model.",
    });
  }
}

async function writeProfile(file: string, profile: SimilarityProfile): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(profile, null, 1)}\n`);
  await rename(temporary, file);
}

function textOf(result: {
  readonly id: string;
  readonly counts: Counts;
  readonly measured: Measured;
  readonly written: string | undefined;
  readonly file: string | undefined;
}): string {
  const { id, counts, measured, written, file } = result;
  const { profile, before, inSample, crossValidated } = measured;
  const kinds = Object.entries(counts).map(([label, count]) => `${count} ${label}`);
  return [
    `${id}, fitted to ${kinds.join(", ")} pairs`,
    ...profile.errors.map(
      ({ similarity, cosine: at }) => `similarity ${similarity} is cosine ${at.toFixed(3)}`,
    ),
    "",
    "of these pairs a run            now   fitted  cross-validated",
    ...ROWS.map(([words, key]) =>
      [words.padEnd(28), before, inSample, crossValidated]
        .map((cell) => (typeof cell === "string" ? cell : percent(cell[key])))
        .join("  "),
    ),
    "",
    written === undefined
      ? `Nothing is written; --write keeps the profile in ${file}.`
      : `Written to ${written}; the next run uses it.`,
  ].join("\n");
}

const ROWS: readonly (readonly [string, keyof LabelErrors])[] = [
  ["merges wrongly", "falseMergeRate"],
  ["misses of the duplicates", "missedRate"],
  ["merges of the duplicates", "mergedRate"],
  ["asks about in vain", "askedInVainRate"],
];

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`.padStart(7);
}
