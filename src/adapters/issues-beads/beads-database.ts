import { z } from "zod";
import { SlowwaveError } from "../../model/errors.ts";
import type { Issue } from "../../model/issue.ts";
import { type BeadsIssue, fromBeadsLine, toBeadsLine } from "../../ports/beads-line.ts";
import { probeBeads } from "./probe-beads.ts";
import { type BdOptions, runBd, unwrap } from "./run-bd.ts";

/** What one store keeps in a database of beads. */
export interface BeadsDatabase {
  /** Every issue of the store, closed ones too. Complete, or it throws. */
  readAll(): Promise<readonly BeadsIssue[]>;
  /** `stale`: one was changed in beads since it was read, and nothing of that one was written. */
  write(writes: readonly BeadsWrite[]): Promise<"written" | "stale">;
  /** beads' own compare-and-set. Gives the holder where somebody else has it. */
  claim(id: string, actor: string): Promise<{ readonly holder: string | undefined } | "claimed">;
}

export interface BeadsWrite {
  readonly issue: Issue;
  /** What stands there now. */
  readonly known: BeadsIssue | undefined;
  /** Kept with it, for whoever asks whether an operation arrived. */
  readonly op?: string;
}

/** For what reads or writes many issues. */
const BULK_TIMEOUT_MS = 300_000;

export function openBeadsDatabase(options: BdOptions, storeId: string): BeadsDatabase {
  let probed: Promise<void> | undefined;
  const ready = async (): Promise<void> => {
    probed ??= probeBeads(options);
    try {
      await probed;
    } catch (error) {
      // It may be installed by the next time.
      probed = undefined;
      throw error;
    }
  };
  return {
    readAll: async () => {
      await ready();
      const issues = await exportAll(options);
      // A line that came by `bd import` from an export carries no store.
      return issues.filter(({ marks }) => (marks.slowwave_store ?? storeId) === storeId);
    },
    write: async (writes) => {
      await ready();
      await removeLabels(writes, options);
      return await importAll(writes, { options, storeId });
    },
    claim: async (id, actor) => {
      await ready();
      return await claim(id, actor, options);
    },
  };
}

async function exportAll(options: BdOptions): Promise<readonly BeadsIssue[]> {
  const args = ["--readonly", "export", "--all"];
  const answer = await runBd({ args, timeoutMs: BULK_TIMEOUT_MS }, options);
  if (!answer.ok) throw failed("export", answer.message);
  const lines = answer.stdout.split("\n").filter((line) => line.trim() !== "");
  return lines.flatMap((line) => {
    // Whatever else people keep there is theirs, and need not be as we know it.
    if (line.startsWith("{") && !line.includes('"slowwave"')) return [];
    try {
      return fromBeadsLine(line) ?? [];
    } catch (cause) {
      const why = cause instanceof SlowwaveError ? cause.message : "unreadable";
      throw new SlowwaveError("tracker", `bd export: ${why}, in ${line.slice(0, 200)}`, { cause });
    }
  });
}

/**
 * An import only adds labels. They go before the rest is written: were the process killed in between, a label that is gone already is what
 * was wanted, while one that stays would look as if a person had given it.
 */
async function removeLabels(writes: readonly BeadsWrite[], options: BdOptions): Promise<void> {
  const idsOf = new Map<string, string[]>();
  for (const { issue, known } of writes) {
    const gone = (known?.line.labels ?? []).filter((label) => !issue.labels.includes(label));
    for (const label of gone) idsOf.set(label, [...(idsOf.get(label) ?? []), issue.id]);
  }
  for (const [label, ids] of idsOf) {
    // In turn: one bd at a time.
    const answer = await runBd({ args: ["label", "remove", ...ids, label] }, options);
    if (!answer.ok) throw failed("label remove", answer.message);
  }
}

const importedSchema = z.looseObject({ stale_skipped_ids: z.array(z.string()).nullish() });

async function importAll(
  writes: readonly BeadsWrite[],
  { options, storeId }: { readonly options: BdOptions; readonly storeId: string },
): Promise<"written" | "stale"> {
  const lines = writes.map(({ issue, known, op }) =>
    toBeadsLine(issue, {
      ...(known ? { known } : {}),
      marks: { slowwave_store: storeId, ...(op === undefined ? {} : { slowwave_op: op }) },
    }),
  );
  const answer = await runBd(
    { args: ["import", "-"], input: `${lines.join("\n")}\n`, timeoutMs: BULK_TIMEOUT_MS },
    options,
  );
  if (!answer.ok) {
    // What an import that finds all of it there already ends with (1.0.5).
    if (/nothing to commit/.test(answer.message)) return "written";
    throw failed("import", answer.message);
  }
  const imported = importedSchema.safeParse(unwrap(JSON.parse(answer.stdout)));
  if (!imported.success) throw failed("import", `answered ${answer.stdout.slice(0, 200)}`);
  return (imported.data.stale_skipped_ids ?? []).length > 0 ? "stale" : "written";
}

async function claim(id: string, actor: string, options: BdOptions) {
  const answer = await runBd({ args: ["update", id, "--claim"], actor }, options);
  if (answer.ok) return "claimed" as const;
  const held = /already claimed by (.+)$/m.exec(answer.message);
  if (held !== null) return { holder: held[1] };
  if (/not claimable/.test(answer.message)) return { holder: undefined };
  throw failed("update --claim", answer.message);
}

function failed(what: string, message: string): SlowwaveError {
  return new SlowwaveError("tracker", `bd ${what}: ${message}`, {
    hint: "`bd doctor` may tell more. Nothing is lost: what was not written is sent by the next run.",
  });
}
