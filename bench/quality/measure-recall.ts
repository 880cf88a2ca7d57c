import { type RecallHit, recall } from "../../src/api/recall.ts";
import { configSchema } from "../../src/config/config.ts";
import { isLive } from "../../src/model/memory.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { makeStore } from "./make-store.ts";
import type { Product } from "./product.ts";
import type { RecallStore } from "./read-data.ts";

export interface RecallMeasures {
  /** Mean share of a question's evidence among the first 5 and the first 10 hits. */
  readonly recall5: number;
  readonly recall10: number;
  /** Mean of 1 / rank of the first hit that is evidence, 0 beyond rank 10. */
  readonly mrr10: number;
}

export interface StoreMeasures {
  readonly questions: number;
  readonly before: RecallMeasures;
  /** After one full run of the pipeline. */
  readonly after: RecallMeasures;
  readonly memoriesBefore: number;
  readonly memoriesAfter: number;
  /** Questions whose evidence is known to be complete and that have an answer, before and after. */
  readonly complete: {
    readonly questions: number;
    readonly before: RecallMeasures;
    readonly after: RecallMeasures;
  };
}

export async function measureRecall(data: RecallStore, product: Product): Promise<StoreMeasures> {
  const { store, runDeps } = await makeStore(data.memories, product);
  const memoriesBefore = await countLive(store);
  const before = await askAll(data, store, runDeps);
  await runPipeline(runDeps);
  const after = await askAll(data, store, runDeps);
  const isComplete = data.questions.map(
    ({ complete, category }) => complete !== false && category !== "adversarial",
  );
  const ofComplete = (answers: readonly Answer[]): RecallMeasures =>
    meanOf(answers.filter((_, at) => isComplete[at]));
  return {
    questions: data.questions.length,
    before: meanOf(before),
    after: meanOf(after),
    memoriesBefore,
    memoriesAfter: await countLive(store),
    complete: {
      questions: isComplete.filter(Boolean).length,
      before: ofComplete(before),
      after: ofComplete(after),
    },
  };
}

/** Question by question, so that stores with many questions weigh more. */
export function poolRecall(stores: readonly StoreMeasures[]): StoreMeasures {
  const pool = (
    pick: (store: StoreMeasures) => readonly [RecallMeasures, number],
  ): RecallMeasures => {
    const parts = stores.map(pick);
    const total = parts.reduce((sum, [, weight]) => sum + weight, 0);
    const mean = (field: keyof RecallMeasures): number =>
      parts.reduce((sum, [measures, weight]) => sum + measures[field] * weight, 0) / total;
    return { recall5: mean("recall5"), recall10: mean("recall10"), mrr10: mean("mrr10") };
  };
  const sum = (pick: (store: StoreMeasures) => number): number =>
    stores.reduce((total, store) => total + pick(store), 0);
  return {
    questions: sum(({ questions }) => questions),
    before: pool(({ before, questions }) => [before, questions]),
    after: pool(({ after, questions }) => [after, questions]),
    memoriesBefore: sum(({ memoriesBefore }) => memoriesBefore),
    memoriesAfter: sum(({ memoriesAfter }) => memoriesAfter),
    complete: {
      questions: sum(({ complete }) => complete.questions),
      before: pool(({ complete }) => [complete.before, complete.questions]),
      after: pool(({ complete }) => [complete.after, complete.questions]),
    },
  };
}

type Answer = RecallMeasures;

async function askAll(
  { questions }: RecallStore,
  store: MemoryStore,
  { clock }: RunDeps,
): Promise<readonly Answer[]> {
  const parts = { store, clock, config: configSchema.parse({ store: store.uri }) };
  return await Promise.all(
    questions.map(async ({ q, evidence }) =>
      score(await recall(parts, { query: q, limit: 10, touch: false }), new Set(evidence)),
    ),
  );
}

/** A merged memory answers for every original that it was made of. */
function score(hits: readonly RecallHit[], evidence: ReadonlySet<string>): Answer {
  const found = hits.map(({ memory }) =>
    [memory.id, ...memory.leaves].filter((id) => evidence.has(id)),
  );
  const within = (count: number): number =>
    new Set(found.slice(0, count).flat()).size / evidence.size;
  const first = found.findIndex((ids) => ids.length > 0);
  return { recall5: within(5), recall10: within(10), mrr10: first < 0 ? 0 : 1 / (first + 1) };
}

function meanOf(answers: readonly Answer[]): RecallMeasures {
  const mean = (field: keyof RecallMeasures): number =>
    answers.reduce((sum, answer) => sum + answer[field], 0) / Math.max(1, answers.length);
  return { recall5: mean("recall5"), recall10: mean("recall10"), mrr10: mean("mrr10") };
}

async function countLive(store: MemoryStore): Promise<number> {
  return (await store.read("memory")).filter(isLive).length;
}
