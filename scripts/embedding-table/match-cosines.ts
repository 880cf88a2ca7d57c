import { createRandom } from "../../bench/speed/random.ts";
import type { Sentence } from "./choose-corpus.ts";
import { createBatches } from "./create-batches.ts";
import { addScaled, dot, innerProducts, type Matrix, rowOf, zeros } from "./matrix.ts";

export const TUNE = {
  loss: "squared difference of cosines inside batches",
  epochs: 5,
  batch: 512,
  lr: 0.01,
  pull: 0.02,
  seed: 0,
} as const;

/**
 * Moves the rows so that the cosines of sentences come nearer to the teacher's: all pairs inside batches of which half are neighbours,
 * by Adam on the rows that a batch touches, which are pulled back a little towards where they began.
 */
export function matchCosines(input: {
  readonly sentences: readonly Sentence[];
  readonly taught: Matrix;
  readonly table: Matrix;
  readonly onEpoch: (epoch: number, loss: number) => void;
}): Matrix {
  const { sentences, taught, table, onEpoch } = input;
  const random = createRandom(TUNE.seed);
  const state = createState(table);
  const steps = TUNE.epochs * Math.floor(sentences.length / TUNE.batch);
  for (let epoch = 1; epoch <= TUNE.epochs; epoch++) {
    const batches = createBatches(taught, TUNE.batch, random);
    let loss = 0;
    for (const batch of batches) {
      state.step += 1;
      const members = batch.map((at) => sentences[at]?.tokens ?? []);
      loss += improve(state, {
        members,
        goal: cosinesOf(taught, batch),
        left: 1 - state.step / steps,
      });
    }
    onEpoch(epoch, loss / Math.max(1, batches.length));
  }
  return state.table;
}

interface State {
  readonly table: Matrix;
  readonly start: Matrix;
  readonly momentum: Matrix;
  readonly squares: Matrix;
  readonly rate: number;
  step: number;
  /** 0.99 to the power of the step. */
  decay: number;
}

function createState(table: Matrix): State {
  const meanSquare = dot(table.data, table.data) / table.data.length;
  return {
    table: { ...table, data: table.data.slice() },
    start: table,
    momentum: zeros(table.rows, table.columns),
    squares: zeros(table.rows, table.columns),
    rate: TUNE.lr * Math.sqrt(meanSquare),
    step: 0,
    decay: 1,
  };
}

function cosinesOf(taught: Matrix, batch: readonly number[]): Matrix {
  const rows = zeros(batch.length, taught.columns);
  for (const [index, at] of batch.entries()) rowOf(rows, index).set(rowOf(taught, at));
  return innerProducts(rows);
}

interface Batch {
  /** Tokens of each sentence. */
  readonly members: readonly (readonly number[])[];
  readonly goal: Matrix;
  /** Share of the steps that is left: the rate falls with it. */
  readonly left: number;
}

function improve(state: State, { members, goal, left }: Batch): number {
  const { units, lengths } = encode(state.table, members);
  const { errors, loss } = compare(units, goal);
  const slopes = slopesOf(errors, { units, lengths });
  const byToken = new Map<number, Float32Array>();
  for (const [index, tokens] of members.entries()) {
    for (const token of tokens) {
      const slope = byToken.get(token) ?? new Float32Array(state.table.columns);
      addScaled(slope, rowOf(slopes, index), 1);
      byToken.set(token, slope);
    }
  }
  state.decay *= 0.99;
  const rate = left * Math.sqrt(1 - state.decay);
  for (const [token, slope] of byToken) moveRow(state, { token, slope, rate });
  return loss;
}

function encode(table: Matrix, members: readonly (readonly number[])[]) {
  const units = zeros(members.length, table.columns);
  const lengths = members.map((tokens, index) => {
    const row = rowOf(units, index);
    for (const token of tokens) addScaled(row, rowOf(table, token), 1);
    const length = Math.max(Math.sqrt(dot(row, row)), 1e-6);
    for (let k = 0; k < row.length; k++) row[k] = (row[k] ?? 0) / length;
    return length;
  });
  return { units, lengths };
}

/** Cosines less the goal's, and their mean square. */
function compare(units: Matrix, goal: Matrix) {
  const errors = innerProducts(units);
  let loss = 0;
  for (let at = 0; at < errors.data.length; at++) {
    const isItself = at % (errors.columns + 1) === 0;
    const error = isItself ? 0 : (errors.data[at] ?? 0) - (goal.data[at] ?? 0);
    errors.data[at] = error;
    loss += error * error;
  }
  return { errors, loss: loss / errors.data.length };
}

/** The slope of the loss at each sentence's sum of rows. */
function slopesOf(
  errors: Matrix,
  { units, lengths }: { readonly units: Matrix; readonly lengths: readonly number[] },
): Matrix {
  const slopes = zeros(units.rows, units.columns);
  for (let i = 0; i < units.rows; i++) {
    const slope = rowOf(slopes, i);
    for (let j = 0; j < units.rows; j++) {
      const error = errors.data[i * units.rows + j] ?? 0;
      addScaled(slope, rowOf(units, j), (4 * error) / units.rows);
    }
    // Only what turns the vector counts, not what makes it longer.
    const unit = rowOf(units, i);
    addScaled(slope, unit, -dot(unit, slope));
    const length = lengths[i] ?? 1;
    for (let k = 0; k < slope.length; k++) slope[k] = (slope[k] ?? 0) / length;
  }
  return slopes;
}

function moveRow(
  { table, start, momentum, squares, rate }: State,
  move: { readonly token: number; readonly slope: Float32Array; readonly rate: number },
): void {
  const offset = move.token * table.columns;
  for (let k = 0; k < move.slope.length; k++) {
    const at = offset + k;
    const slope = move.slope[k] ?? 0;
    const m = 0.9 * (momentum.data[at] ?? 0) + 0.1 * slope;
    const v = 0.99 * (squares.data[at] ?? 0) + 0.01 * slope * slope;
    momentum.data[at] = m;
    squares.data[at] = v;
    const value = table.data[at] ?? 0;
    const pull = move.rate * TUNE.pull * 0.01 * (value - (start.data[at] ?? 0));
    table.data[at] = value - (rate * move.rate * m) / (Math.sqrt(v) + 1e-8) - pull;
  }
}
