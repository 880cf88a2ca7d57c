import { z } from "zod";
import { SlowwaveError } from "../model/errors.ts";
import { type Instant, parseInstant, toIso } from "../model/instant.ts";
import type { Issue } from "../model/issue.ts";
import { issueSchema } from "../model/issue-schema.ts";
import { beadsStatus, deltaOf, layOver } from "./beads-changes.ts";

/** Issues as the JSON lines that `bd import` reads and `bd export` writes (beads 1.0.5). The whole record travels in `metadata`. */

const text = z.string().nullish();

/** What beads gives back; everything else of a line is its own affair. */
const lineSchema = z.looseObject({
  id: z.string().min(1),
  title: z.string().min(1),
  description: text,
  status: z.string().default("open"),
  priority: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  issue_type: text,
  labels: z.array(z.string()).nullish(),
  assignee: text,
  updated_at: text,
  closed_at: text,
  close_reason: text,
  comments: z
    .array(z.looseObject({ author: z.string(), text: z.string(), created_at: z.string() }))
    .nullish(),
  metadata: z
    .looseObject({
      slowwave: z.unknown().optional(),
      slowwave_store: z.string().optional(),
      slowwave_op: z.string().optional(),
    })
    .nullish(),
});
export type BeadsLine = z.infer<typeof lineSchema>;

/** What stands beside the record in `metadata`. */
export interface BeadsMarks {
  /** The store that the issue belongs to: two stores may use one database. */
  readonly slowwave_store?: string;
  /** The last operation of a run that was written. */
  readonly slowwave_op?: string;
}

/**
 * One line, without its end. beads takes a missing priority as the most urgent and refuses a `closed_at` on what is open. `known` is what
 * stands in beads: an import blanks whatever it is not given, so all that is not slowwave's goes back as it came.
 */
export function toBeadsLine(
  issue: Issue,
  over: { readonly known?: BeadsIssue; readonly marks?: BeadsMarks } = {},
): string {
  const { known, marks = {} } = over;
  const own = lineOf(issue);
  if (known === undefined) {
    return JSON.stringify({ ...own, metadata: { ...own.metadata, ...marks } });
  }
  const { closed_at: _at, close_reason: _reason, ...theirs } = known.line;
  for (const key of NEVER_SENT) delete theirs[key];
  const was = lineOf(known.record);
  return JSON.stringify({
    ...theirs,
    ...own,
    ...(theirs.description === was.description ? {} : { description: theirs.description }),
    ...(theirs.issue_type ? { issue_type: theirs.issue_type } : {}),
    assignee: assigneeOf(issue, known),
    // beads passes over a line that is older than what it has.
    updated_at: toIso(Math.max(wholeSecond(issue.updatedAt), known.updatedAt)),
    metadata: { ...theirs.metadata, ...own.metadata, ...marks },
  });
}

/** Counts and links are beads' own; an import only ever adds links. */
const NEVER_SENT = [
  "dependencies",
  "dependents",
  "dependency_count",
  "dependent_count",
  "comment_count",
  "parent",
];

/** Whoever a person gave the issue to keeps it; whoever held it under a claim that is over does not. */
function assigneeOf(issue: Issue, { line, record }: BeadsIssue): string | undefined {
  if (issue.status === "in_progress") return issue.claimedBy;
  const isReleased = issue.status !== "closed" && record.status === "in_progress";
  return isReleased ? undefined : (line.assignee ?? undefined);
}

function lineOf(issue: Issue) {
  const { id, priority, notes } = issue;
  const status = beadsStatus(issue);
  const closing =
    status === "closed"
      ? {
          closed_at: toIso(issue.closedAt ?? issue.updatedAt),
          close_reason: issue.closeReason ?? (issue.undone ? "its run was undone" : ""),
        }
      : {};
  return {
    _type: "issue",
    id,
    title: cutBytes(issue.title, MAX_TITLE_BYTES),
    description: cutBytes(notes.reason, MAX_TEXT_BYTES),
    status,
    priority,
    issue_type: "task",
    labels: issue.labels,
    ...(issue.claimedBy === undefined ? {} : { assignee: issue.claimedBy }),
    created_at: toIso(issue.createdAt),
    created_by: `agent:${notes.agent}`,
    updated_at: toIso(issue.updatedAt),
    ...closing,
    comments: issue.comments.map(({ author, at, text }) => ({
      author,
      text,
      // beads keeps whole seconds and knows a comment again by its time: with a fraction, each import would add it once more.
      created_at: toIso(Math.floor(at / 1000) * 1000),
    })),
    // With a letter before it, as `bd update --set-metadata` would take a hash of digits for a number.
    metadata: { slowwave: issue, slowwave_fingerprint: `h:${issue.fingerprint}` },
  };
}

function wholeSecond(at: Instant): Instant {
  return Math.ceil(at / 1000) * 1000;
}

const MAX_TITLE_BYTES = 500;
/** A TEXT column of the database behind beads holds 65,535. */
const MAX_TEXT_BYTES = 60_000;

function cutBytes(value: string, most: number): string {
  if (Buffer.byteLength(value) <= most) return value;
  let cut = "";
  let bytes = 3;
  for (const character of value) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    cut += character;
  }
  return `${cut}…`;
}

/** An issue as it comes back from beads. */
export interface BeadsIssue {
  /** As slowwave wrote it. */
  readonly record: Issue;
  readonly marks: BeadsMarks;
  /** All that beads has of it. */
  readonly line: BeadsLine;
  /** By beads, in whole seconds. */
  readonly updatedAt: Instant;
  /** Lays over an issue what was changed in beads since; the issue itself where that is nothing, or was done before. */
  change(issue: Issue): Issue;
}

/**
 * `undefined`: an issue of somebody else's, which slowwave knows nothing of.
 * @throws SlowwaveError `input` saying what does not fit
 */
export function fromBeadsLine(line: string): BeadsIssue | undefined {
  const raw = parseJson(line);
  if (isOther(raw)) return undefined;
  const parsed = lineSchema.safeParse(raw);
  if (!parsed.success) throw misfit(parsed.error);
  const { metadata, ...rest } = parsed.data;
  if (metadata?.slowwave === undefined) return undefined;
  const { slowwave, slowwave_store, slowwave_op } = metadata;
  const issue = issueSchema.safeParse(slowwave);
  if (!issue.success) throw misfit(issue.error);
  const record = issue.data;
  if (record.id !== rest.id) {
    const why = `the line is of ${rest.id}, its metadata of ${record.id}`;
    throw new SlowwaveError("input", why);
  }
  const delta = deltaOf(parsed.data, { record, title: lineOf(record).title });
  return {
    record,
    marks: {
      ...(slowwave_store === undefined ? {} : { slowwave_store }),
      ...(slowwave_op === undefined ? {} : { slowwave_op }),
    },
    line: parsed.data,
    updatedAt: rest.updated_at ? parseInstant(rest.updated_at, "updated_at") : record.updatedAt,
    change: (target) => layOver(target, delta),
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new SlowwaveError("input", "expected one JSON object", { cause });
  }
}

/** beads writes its own memories among the issues. */
function isOther(raw: unknown): boolean {
  if (typeof raw !== "object" || raw === null) return false;
  return "_type" in raw && raw._type !== "issue";
}

function misfit(error: z.ZodError): SlowwaveError {
  const [issue] = error.issues;
  const place = issue?.path.join(".") ?? "";
  return new SlowwaveError("input", `${place === "" ? "line" : place}: ${issue?.message ?? ""}`, {
    cause: error,
  });
}
