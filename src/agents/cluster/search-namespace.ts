import { setImmediate } from "node:timers/promises";
import { isLive } from "../../model/memory.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { createPairCollector, type PairList } from "../../similarity/pair-list.ts";
import type { AgentDeps } from "../agent-deps.ts";
import { compareIds } from "../work-items.ts";
import { type Containment, findContainment } from "./containment.ts";
import { type Finding, type FoundInNamespace, findInNamespace } from "./findings.ts";
import { judgeContradiction, type Resolution } from "./judge-contradiction.ts";
import { createLikeness, type Likeness } from "./likeness.ts";
import { readUnits } from "./units.ts";
import { openWorkMemory, type WorkMemory } from "./work-memory.ts";

interface Search extends FoundInNamespace {
  /** Memories looked at. */
  readonly scanned: number;
  readonly note: string | undefined;
}

export interface NamespaceSearch extends Search {
  /** Contradictions that this run settles; the findings are those of the memories that stay. */
  readonly resolutions: readonly Resolution[];
  /** Ids of the memories that settling archives. */
  readonly losers: ReadonlySet<string>;
}

interface SearchInput {
  readonly context: AgentContext;
  readonly deps: AgentDeps;
}

/** Searches until nothing more is to be settled: so the findings are those that the next run will find. */
export async function searchNamespace(
  namespace: string,
  input: SearchInput,
): Promise<NamespaceSearch> {
  const resolutions: Resolution[] = [];
  const losers = new Set<string>();
  const { deps, context } = input;
  const memory = await openWorkMemory(namespace, { deps, settings: context.settings.cluster });
  let scanned = 0;
  for (;;) {
    // In turn: what a search settles is no part of the next.
    const search = await searchOnce(namespace, { ...input, memory, gone: losers });
    scanned = Math.max(scanned, search.scanned);
    const settled = resolve(search.findings, context);
    if (settled.length === 0) {
      // A run over a part of the memories has nothing to say of the others, and leaves for the next run what there is.
      const isWhole = scanned === context.view.memories(namespace).filter(isLive).length;
      if (isWhole) await memory.save();
      return { ...search, scanned, resolutions, losers };
    }
    resolutions.push(...settled);
    for (const { losers: lost } of settled) for (const { id } of lost) losers.add(id);
  }
}

/** The surest first; what has lost already contradicts nobody any more. */
function resolve(findings: readonly Finding[], context: AgentContext): readonly Resolution[] {
  const lost = new Set<string>();
  return findings
    .filter(({ kind }) => kind === "conflict")
    .flatMap((finding) => {
      const verdict = judgeContradiction(finding, context);
      return verdict.kind === "resolve" ? [verdict.resolution] : [];
    })
    .sort(
      (a, b) =>
        b.confidence - a.confidence || compareIds(a.finding.fingerprint, b.finding.fingerprint),
    )
    .filter(({ finding, losers }) => {
      const members = finding.sides.flatMap((side) => side.flatMap((unit) => unit.members));
      if (members.some(({ id }) => lost.has(id))) return false;
      for (const { id } of losers) lost.add(id);
      return true;
    });
}

async function searchOnce(
  namespace: string,
  {
    context,
    deps,
    memory,
    gone,
  }: SearchInput & { readonly memory: WorkMemory; readonly gone: ReadonlySet<string> },
): Promise<Search> {
  const { view, settings, signal } = context;
  const { units, rows, scanned } = readUnits(namespace, {
    context,
    readings: memory.readings,
    gone,
  });
  const matrix = await view.vectors(rows.map(({ record }) => record));
  const { pairs, note } = await memory.findPairs(rows, matrix, signal);
  const containment = findContainment(rows);
  const likeness = createLikeness({
    rows,
    matrix,
    containment,
    verdicts: memory.verdicts,
    deps,
    settings,
  });
  const rowPairs = withContainment(pairs, containment);
  await judgePairs(rowPairs, likeness, signal);
  const found = findInNamespace(namespace, {
    units,
    rows,
    rowPairs,
    containment,
    likeness,
    settings,
  });
  return { ...found, scanned, note };
}

/** Pairs between two looks at the signal. */
const PAIRS_BETWEEN_PAUSES = 1000;

/**
 * Judges all pairs in order of rows, before grouping asks for them in order of similarity: a text is then read once for most of its pairs,
 * instead of having been forgotten by the next.
 */
async function judgePairs(pairs: PairList, likeness: Likeness, signal: AbortSignal): Promise<void> {
  for (let pair = 0; pair < pairs.count; pair++) {
    if (pair % PAIRS_BETWEEN_PAUSES === 0) {
      // Nothing else lets a signal arrive.
      await setImmediate();
      signal.throwIfAborted();
    }
    likeness.exclude(pairs.first[pair] ?? 0, pairs.second[pair] ?? 0);
  }
}

function withContainment(pairs: PairList, containment: Containment): PairList {
  const collector = createPairCollector();
  for (let pair = 0; pair < pairs.count; pair++) {
    const [first = 0, second = 0] = [pairs.first[pair], pairs.second[pair]];
    collector.add(first, second, pairs.similarity[pair] ?? 0);
  }
  for (const { whole, part } of containment.pairs) collector.add(whole, part, 1);
  return collector.list();
}
