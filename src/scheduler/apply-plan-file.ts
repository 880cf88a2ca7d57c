import { SlowwaveError } from "../model/errors.ts";
import { hashOf } from "../model/hash.ts";
import type { RunReport } from "../model/run-report.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { recordKey } from "../ports/store-rules.ts";
import { applyPlan } from "./apply-plan.ts";
import { findDone } from "./find-done.ts";
import { oweIssues } from "./issue-outbox.ts";
import { acquireRunLease } from "./lease.ts";
import { memberKeys, plannedImages } from "./member-images.ts";
import type { ApplicablePlan, DecidedProposal } from "./plan.ts";
import { decidedOf, type PlanFile } from "./plan-file.ts";
import { recover } from "./recover.ts";
import { reportLive } from "./report.ts";
import type { RunDeps } from "./run-deps.ts";
import { startRun } from "./run-record.ts";
import { sendIssues } from "./send-issues.ts";
import { takeInIssues } from "./take-in-issues.ts";

/**
 * Applies a plan as it was written, or the chosen part of it, as a run of its own; nothing is planned anew. A proposal whose records or
 * memories have moved since is refused, with what counts on it. What is applied already counts as applied.
 * @throws SlowwaveError `input` for a plan of another store, `usage` where nothing of it was chosen, `busy`.
 */
export async function applyPlanFile(
  given: RunDeps,
  file: PlanFile,
  options: { readonly only?: readonly string[]; readonly signal?: AbortSignal } = {},
): Promise<RunReport> {
  const deps = oweIssues(given);
  const signal = options.signal ?? new AbortController().signal;
  if (file.storeId !== deps.store.storeId) {
    throw new SlowwaveError(
      "input",
      `${file.planId} was made for another store (${file.storeId})`,
      {
        hint: "Name the store it was made for with --store, or make a new plan.",
      },
    );
  }
  const chosen = choose(decidedOf(file), options.only);
  const { lease, takenOver } = await acquireRunLease(deps.store, deps.system);
  await using held = lease;
  const notes = takenOver === undefined ? [] : [takenOver];
  notes.push(...(await recover(deps)), ...settingsNote(file, deps));
  const record = await startRun(deps, "apply");
  try {
    notes.push(...(await takeInIssues(deps)));
    const done = await findDone(decidedOf(file), deps.store);
    const decided = chosen.filter(({ proposal }) => !done.has(proposal.id));
    if (decided.length < chosen.length) {
      notes.push(`plan: ${chosen.length - decided.length} of it were applied before`);
    }
    const plan = planOf(file, { decided, asOf: record.run.asOf });
    const whyRefused = await createCheck(file, { decided, done, store: deps.store });
    const applied = await applyPlan({
      plan,
      runId: record.run.id,
      deps,
      lease: held,
      signal,
      whyRefused,
    });
    notes.push(...(await sendIssues(deps)));
    const report = reportLive({ plan, applied, runId: record.run.id, notes });
    await record.finish(report, file.hash);
    await deps.store.maintain(plan.asOf);
    return report;
  } catch (error) {
    await record.abandon(signal.aborted ? "interrupted" : "failed");
    throw error;
  }
}

/** All of it, or the proposals and agents named. */
function choose(
  decided: readonly DecidedProposal[],
  only: readonly string[] | undefined,
): readonly DecidedProposal[] {
  if (only === undefined) return decided;
  const names = new Set(decided.flatMap(({ proposal }) => [proposal.id, proposal.agent]));
  const unknown = only.filter((name) => !names.has(name));
  if (unknown.length > 0) {
    throw new SlowwaveError(
      "usage",
      `--only: the plan has no proposal or agent ${unknown.join(", ")}`,
      {
        hint: "The file names the id and agent of each proposal.",
      },
    );
  }
  const wanted = new Set(only);
  return decided.filter(({ proposal }) => wanted.has(proposal.id) || wanted.has(proposal.agent));
}

function settingsNote(file: PlanFile, deps: RunDeps): readonly string[] {
  if (file.settingsHash === hashOf(deps.settings, 16)) return [];
  const [then, now] = [leavesOf(file.settings), leavesOf(deps.settings)];
  const names = new Set([...then.keys(), ...now.keys()]);
  const changed = [...names].filter((name) => then.get(name) !== now.get(name)).sort();
  return [
    `plan: the settings have changed since it was made (${changed.join(", ")}); it is applied as it is`,
  ];
}

/** Each setting's value, by its dotted name. */
function leavesOf(settings: object, prefix = ""): ReadonlyMap<string, unknown> {
  const leaves = Object.entries(settings).flatMap(([name, value]): [string, unknown][] =>
    typeof value === "object" && value !== null
      ? [...leavesOf(value, `${prefix}${name}.`)]
      : [[`${prefix}${name}`, value]],
  );
  return new Map(leaves);
}

/** The journal and the run's record go by the clock of now; what is written, by the plan's. */
function planOf(
  file: PlanFile,
  { decided, asOf }: { readonly decided: readonly DecidedProposal[]; readonly asOf: number },
): ApplicablePlan {
  const agents = new Set(decided.map(({ proposal }) => proposal.agent));
  return {
    asOf,
    agents: Object.fromEntries(Object.entries(file.agents).filter(([name]) => agents.has(name))),
    decided,
    notes: file.notes,
    timings: [],
  };
}

/** Refuses what commits cannot see: a memory that a proposal is about and does not write, and needed proposals that were not chosen. */
async function createCheck(
  file: PlanFile,
  input: {
    readonly decided: readonly DecidedProposal[];
    readonly done: ReadonlySet<string>;
    readonly store: MemoryStore;
  },
): Promise<(one: DecidedProposal) => string | undefined> {
  const all = decidedOf(file);
  const memories = await input.store.read("memory", {
    ids: [
      ...new Set(input.decided.flatMap((one) => one.proposal.finding.members.map(({ id }) => id))),
    ],
  });
  const found = new Map(memories.map((memory) => [recordKey("memory", memory), memory]));
  const planned = plannedImages(all);
  const present = new Set([...input.done, ...input.decided.map(({ proposal }) => proposal.id)]);
  const leftOut = new Set(all.map(({ proposal }) => proposal.id).filter((id) => !present.has(id)));
  const hasMoved = (key: string): boolean => {
    const expected = file.expects[key];
    if (expected === undefined) return false;
    const memory = found.get(key);
    const image = memory && hashOf(memory);
    return image === undefined || (image !== expected && planned.get(key)?.has(image) !== true);
  };
  return (one) => {
    const needed = one.proposal.dependsOn.find((id) => leftOut.has(id));
    if (needed !== undefined) return `needs ${needed}, which was not chosen`;
    const moved = memberKeys(one).find(hasMoved);
    return moved === undefined
      ? undefined
      : `${found.get(moved)?.id ?? moved} has changed since the plan was made`;
  };
}
