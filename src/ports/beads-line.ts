import { z } from "zod";
import { SlowwaveError } from "../model/errors.ts";
import { type Instant, parseInstant, toIso } from "../model/instant.ts";
import { type Issue, type IssueStatus, issueSchema } from "../model/issue.ts";

/** Issues as the JSON lines that `bd import` reads and `bd export` writes (beads 1.0.5). The whole record travels in `metadata`. */

type Comment = Issue["comments"][number];

const text = z.string().nullish();

/** What beads gives back; everything else of a line is its own affair. */
const lineSchema = z.looseObject({
  id: z.string().min(1),
  title: z.string().min(1),
  status: z.string().default("open"),
  priority: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  labels: z.array(z.string()).nullish(),
  assignee: text,
  updated_at: text,
  closed_at: text,
  close_reason: text,
  comments: z
    .array(z.looseObject({ author: z.string(), text: z.string(), created_at: z.string() }))
    .nullish(),
  metadata: z.looseObject({ slowwave: z.unknown().optional() }).nullish(),
});
type Line = z.infer<typeof lineSchema>;

/** One line, without its end. beads takes a missing priority as the most urgent and refuses a `closed_at` on what is open. */
export function toBeadsLine(issue: Issue): string {
  return JSON.stringify(lineOf(issue));
}

function lineOf(issue: Issue) {
  const { id, status, priority, notes } = issue;
  const closing =
    status === "closed"
      ? {
          closed_at: toIso(issue.closedAt ?? issue.updatedAt),
          close_reason: issue.closeReason ?? "",
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
      created_at: toIso(at),
    })),
    metadata: { slowwave: issue },
  };
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
  const kept = parsed.data.metadata?.slowwave;
  if (kept === undefined) return undefined;
  const issue = issueSchema.safeParse(kept);
  if (!issue.success) throw misfit(issue.error);
  const record = issue.data;
  if (record.id !== parsed.data.id) {
    const why = `the line is of ${parsed.data.id}, its metadata of ${record.id}`;
    throw new SlowwaveError("input", why);
  }
  const delta = deltaOf(parsed.data, record);
  return { record, change: (target) => applyDelta(delta, target) };
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

/** What people did in beads. */
interface Delta {
  readonly record: Issue;
  /** beads moves it on for fields, not for labels and comments. */
  readonly at: Instant;
  readonly title?: string;
  readonly priority?: Issue["priority"];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly status?: Pick<Issue, "status"> & Partial<Issue>;
  readonly comments: readonly Comment[];
  /** All of it but the comments in words; empty where there is nothing. */
  readonly words: string;
}

function deltaOf(line: Line, record: Issue): Delta {
  const labels = line.labels ?? [];
  const fields = {
    ...(line.title === lineOf(record).title ? {} : { title: line.title }),
    ...(line.priority === record.priority ? {} : { priority: line.priority }),
    added: labels.filter((label) => !record.labels.includes(label)),
    removed: record.labels.filter((label) => !labels.includes(label)),
  };
  const at = timeOf(line.updated_at) ?? record.updatedAt;
  const status = statusFields(line, { record, at });
  const comments = (line.comments ?? []).map(({ author, text, created_at }) => {
    return { author, text, at: parseInstant(created_at, "comments.created_at") };
  });
  const words = [
    ...(fields.title === undefined ? [] : [`title ${JSON.stringify(fields.title)}`]),
    ...(fields.priority === undefined ? [] : [`priority ${fields.priority}`]),
    ...fields.added.map((label) => `+${label}`),
    ...fields.removed.map((label) => `-${label}`),
    ...(status === undefined ? [] : [`${status.status} ${status.closeReason ?? ""}`.trim()]),
  ].join(", ");
  return { ...fields, record, at, ...(status ? { status } : {}), comments, words };
}

/**
 * A comment marks what was laid over an issue, so that reading the same file again changes nothing, whatever happened to the issue since.
 */
function applyDelta(delta: Delta, target: Issue): Issue {
  const comments = newComments(delta.comments, target);
  const mark = { author: BY_BEADS, at: delta.at, text: `in beads: ${delta.words}` };
  const isNews = delta.words !== "" && newComments([mark], target).length > 0;
  if (!isNews && comments.length === 0) return target;
  return {
    ...(isNews ? changedFields(delta, target) : target),
    comments: [...target.comments, ...comments, ...(isNews ? [mark] : [])],
    updatedAt: Math.max(target.updatedAt, delta.at),
    revision: target.revision + 1,
  };
}

const BY_BEADS = "person:beads";

function changedFields(delta: Delta, target: Issue): Issue {
  const { title = target.title, priority = target.priority, added, removed, record } = delta;
  const kept = target.labels.filter((label) => !removed.includes(label));
  const labels = [...new Set([...kept, ...added])];
  const changed = { ...target, title, priority, labels };
  // What was closed here meanwhile stays closed, unless beads reopened that very close.
  const isComparable = (target.status === "closed") === (record.status === "closed");
  if (delta.status === undefined || !isComparable) return changed;
  const { claimedBy: _by, claimToken: _token, leaseUntil: _until, ...free } = changed;
  const { closedAt: _at, closeReason: _reason, closedBy: _closedBy, ...open } = free;
  return { ...open, ...delta.status };
}

/** Those that are not there. beads keeps whole seconds. */
function newComments(comments: readonly Comment[], issue: Issue): readonly Comment[] {
  const keyOf = ({ author, text, at }: Comment) =>
    JSON.stringify([author, text, Math.floor(at / 1000)]);
  const known = new Set(issue.comments.map(keyOf));
  return comments.filter((comment) => !known.has(keyOf(comment)));
}

/** Whoever closes, claims or reopens in beads is a person, as slowwave itself never writes there. */
function statusFields(
  line: Line,
  { record, at }: { readonly record: Issue; readonly at: Instant },
): Delta["status"] {
  const status = statusOf(line.status);
  const reason = line.close_reason ?? "";
  const isReclosed = status === "closed" && reason !== (record.closeReason ?? "");
  if (status === record.status && !isReclosed) return undefined;
  switch (status) {
    case "closed": {
      const closedAt = timeOf(line.closed_at) ?? at;
      return { status, closedAt, closeReason: reason, closedBy: BY_BEADS };
    }
    case "in_progress":
      return { status, claimedBy: line.assignee ?? BY_BEADS };
    case "open":
    case "blocked":
      return { status };
  }
}

/** What beads calls deferred or pinned waits, like what is blocked; so does a status of a team's own. */
function statusOf(status: string): IssueStatus {
  if (status === "open" || status === "closed" || status === "in_progress") return status;
  return status === "hooked" ? "in_progress" : "blocked";
}

function timeOf(value: string | null | undefined): Instant | undefined {
  return value == null ? undefined : parseInstant(value, "time");
}
