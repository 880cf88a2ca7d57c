import type { PairJudgement } from "../../agents/cluster/judge-pair.ts";
import type { Config } from "../../config/config.ts";
import { SlowwaveError } from "../../model/errors.ts";
import type { Issue } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import type { Progress } from "../../ports/progress.ts";
import { cosine } from "../../similarity/vectors.ts";
import { openJudge } from "../../wire.ts";
import { printable } from "../paint.ts";

/** Two memories, and what the cluster agent makes of their texts now. */
export interface ExplainedPair extends Omit<PairJudgement, "sameness"> {
  readonly a: string;
  readonly b: string;
}

export interface Explanation {
  readonly pairs: readonly ExplainedPair[];
  /** Why there are none, where the embedder fails: what waits is shown nevertheless. */
  readonly unexplained?: string;
}

const NOTHING: Explanation = { pairs: [] };

/** Why the memories of a cluster issue merge, contradict or stay apart, two by two; nothing for any other issue. */
export async function explainIssue(
  { notes }: Issue,
  memories: readonly Memory[],
  how: { readonly config: Config; readonly progress: Progress },
): Promise<Explanation> {
  if (notes.agent !== "cluster" || memories.length < 2) return NOTHING;
  try {
    return { pairs: await explainPairs(memories, how) };
  } catch (error) {
    if (!(error instanceof SlowwaveError)) throw error;
    return { pairs: [], unexplained: error.message };
  }
}

/** Every two of the texts, judged as the cluster agent would. */
export async function explainPairs(
  texts: readonly { readonly id: string; readonly content: string }[],
  { config, progress }: { readonly config: Config; readonly progress: Progress },
): Promise<readonly ExplainedPair[]> {
  const { embedder, judge } = await openJudge(config, { progress });
  const vectors = await embedder.embed(texts.map(({ content }) => content));
  return texts.flatMap((one, index) =>
    texts.slice(index + 1).map((other, offset) => {
      const [left, right] = [vectors[index], vectors[index + 1 + offset]];
      const alike = left === undefined || right === undefined ? 0 : cosine(left, right);
      const { sameness: _sameness, ...judgement } = judge({
        a: one.content,
        b: other.content,
        cosine: alike,
      });
      return { a: one.id, b: other.id, ...judgement };
    }),
  );
}

/** Pairs of a large group beyond these are left to `--json`. */
const SHOWN = 10;

export function explanationLines({ pairs, unexplained }: Explanation): readonly string[] {
  if (unexplained !== undefined) return [`not explained: ${printable(unexplained)}`];
  const rest = pairs.length - SHOWN;
  return [
    ...pairs.slice(0, SHOWN).flatMap((pair) => {
      const [first = "", ...others] = judgementLines(pair);
      const names = `${printable(pair.a)} and ${printable(pair.b)}`;
      return [`${names}: ${first}`, ...others.map((line) => `  ${line}`)];
    }),
    ...(rest > 0 ? [`… and ${rest} more pairs; --json has them all`] : []),
  ];
}

/** The verdict in words, then each difference that a rule sees. */
export function judgementLines(judgement: Omit<PairJudgement, "sameness">): readonly string[] {
  const { verdict, autoMerge, reason, similarity, conflicts } = judgement;
  return [
    `${verdict}${autoMerge ? ", merged without asking" : ""}: ${printable(reason)}`,
    `similarity ${similarity.toFixed(2)}`,
    ...conflicts.map(
      ({ kind, a, b, confidence }) =>
        `${kind} (${confidence.toFixed(2)}): "${printable(a.text)}" and "${printable(b.text)}"`,
    ),
  ];
}
