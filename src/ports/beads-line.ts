import { z } from "zod";
import { SlowwaveError } from "../model/errors.ts";
import { parseInstant, toIso } from "../model/instant.ts";
import { type Issue, type IssueStatus, issueSchema } from "../model/issue.ts";
import { canonicalJson } from "../model/json.ts";

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

/**
 * The issue of a line, with what was changed in beads laid over the record that slowwave wrote. `undefined`: an issue of somebody else's,
 * which slowwave knows nothing of.
 * @throws SlowwaveError `input` saying what does not fit
 */
export function fromBeadsLine(line: string): Issue | undefined {
  const raw = parseJson(line);
  if (isOther(raw)) return undefined;
  const parsed = lineSchema.safeParse(raw);
  if (!parsed.success) throw misfit(parsed.error);
  const record = parsed.data.metadata?.slowwave;
  if (record === undefined) return undefined;
  const issue = issueSchema.safeParse(record);
  if (!issue.success) throw misfit(issue.error);
  if (issue.data.id !== parsed.data.id) {
    throw new SlowwaveError(
      "input",
      `the line is of ${parsed.data.id}, its metadata of ${issue.data.id}`,
    );
  }
  return overlay(parsed.data, issue.data);
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

function overlay(line: Line, record: Issue): Issue {
  const sent = lineOf(record);
  const changed: Issue = {
    ...withStatus(line, record),
    title: line.title === sent.title ? record.title : line.title,
    priority: line.priority,
    labels: haveSame(line.labels ?? [], record.labels) ? record.labels : (line.labels ?? []),
    comments: [...record.comments, ...newComments(line, record)],
  };
  if (canonicalJson(changed) === canonicalJson(record)) return record;
  const updatedAt = Math.max(record.updatedAt, timeOf(line.updated_at) ?? record.updatedAt);
  return { ...changed, updatedAt, revision: record.revision + 1 };
}

function haveSame(some: readonly string[], others: readonly string[]): boolean {
  return canonicalJson([...new Set(some)].sort()) === canonicalJson([...new Set(others)].sort());
}

/** beads keeps whole seconds. */
function newComments(line: Line, record: Issue): readonly Comment[] {
  const keyOf = ({ author, text, at }: Comment) =>
    JSON.stringify([author, text, Math.floor(at / 1000)]);
  const known = new Set(record.comments.map(keyOf));
  return (line.comments ?? [])
    .map(({ author, text, created_at }) => ({
      author,
      text,
      at: parseInstant(created_at, "comments.created_at"),
    }))
    .filter((comment) => !known.has(keyOf(comment)));
}

/** Whoever closes, claims or reopens in beads is a person, as slowwave itself never writes there. */
function withStatus(line: Line, record: Issue): Issue {
  const status = statusOf(line.status);
  const isReclosed =
    status === "closed" && (line.close_reason ?? "") !== (record.closeReason ?? "");
  if (status === record.status && !isReclosed) return record;
  const { claimedBy: _by, claimToken: _token, leaseUntil: _until, ...free } = record;
  const { closedAt: _at, closeReason: _reason, closedBy: _closedBy, ...open } = free;
  switch (status) {
    case "closed":
      return {
        ...open,
        status,
        closedAt: timeOf(line.closed_at) ?? timeOf(line.updated_at) ?? record.updatedAt,
        closeReason: line.close_reason ?? "",
        closedBy: "person:beads",
      };
    case "in_progress":
      return { ...open, status, claimedBy: line.assignee ?? "person:beads" };
    case "open":
    case "blocked":
      return { ...open, status };
  }
}

/** What beads calls deferred or pinned waits, like what is blocked; so does a status of a team's own. */
function statusOf(status: string): IssueStatus {
  if (status === "open" || status === "closed" || status === "in_progress") return status;
  return status === "hooked" ? "in_progress" : "blocked";
}

function timeOf(value: string | null | undefined): number | undefined {
  return value == null ? undefined : parseInstant(value, "time");
}
