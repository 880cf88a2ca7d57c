import fc from "fast-check";
import { expect, test } from "vitest";
import { createEmbeddedTracker } from "../../src/adapters/issues-embedded/create-embedded-tracker.ts";
import { createHashEmbedder } from "../../src/adapters/memory/hash-embedder.ts";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { ISSUE_STATUSES, type Issue, URGENCIES } from "../../src/model/issue.ts";
import { issueSchema } from "../../src/model/issue-schema.ts";
import { fromBeadsLine, toBeadsLine } from "../../src/ports/beads-line.ts";
import { anIssue, BUILT_AT } from "../builders.ts";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const instant = fc.integer({ min: BUILT_AT, max: BUILT_AT + 1e10 });
const optional = <T>(name: string, value: fc.Arbitrary<T>) =>
  fc.oneof(
    fc.constant({}),
    value.map((one) => ({ [name]: one })),
  );

/** Any issue that a store may hold, a closed one as trackers close it. */
const issues: fc.Arbitrary<Issue> = fc
  .tuple(
    fc.record({
      id: text,
      namespace: text,
      title: fc
        .string({ unit: "grapheme", minLength: 1, maxLength: 300 })
        .map((t) => t.slice(0, 500)),
      status: fc.constantFrom(...ISSUE_STATUSES),
      priority: fc.constantFrom(0, 1, 2, 3, 4),
      labels: fc.uniqueArray(text, { maxLength: 4 }),
      notes: fc.record({
        agent: text,
        action: text,
        memoryIds: fc.array(text, { maxLength: 3 }),
        urgency: fc.constantFrom(...URGENCIES),
        reason: fc.string({ unit: "grapheme" }),
        scores: fc.dictionary(text, fc.double({ noNaN: true, noDefaultInfinity: true })),
        details: fc.dictionary(text, fc.jsonValue()),
      }),
      fingerprint: text,
      createdAt: instant,
      updatedAt: instant,
      comments: fc.array(fc.record({ author: text, at: instant, text }), { maxLength: 3 }),
      revision: fc.integer({ min: 1, max: 99 }),
    }),
    optional("claimedBy", text),
    optional("claimToken", text),
    optional("leaseUntil", instant),
    optional("closedBy", text),
    optional("closeReason", text),
    optional("closedAt", instant),
  )
  .map((parts) => issueSchema.parse(JSON.parse(JSON.stringify(Object.assign({}, ...parts)))));

/** The issue of a line with what was changed in beads. */
function cameBack(line: string): Issue | undefined {
  const back = fromBeadsLine(line);
  return back?.change(back.record);
}

test("an issue comes back from its line as it was", () => {
  fc.assert(
    fc.property(issues, (issue) => {
      const line = toBeadsLine(issue);
      expect(line).not.toContain("\n");
      expect(cameBack(line)).toEqual(issue);
    }),
  );
});

test("an issue comes back as it was from what beads makes of its line", () => {
  fc.assert(
    fc.property(issues, (issue) => {
      expect(cameBack(JSON.stringify(asBeadsExports(issue)))).toEqual(issue);
    }),
  );
});

/** As `bd export` of 1.0.5 writes what it imported: whole seconds, sorted labels, nothing that is empty, fields of its own. */
function asBeadsExports(issue: Issue): object {
  const { labels, close_reason, comments, ...rest } = JSON.parse(toBeadsLine(issue));
  const seconds = (time: string) => `${time.slice(0, 19)}Z`;
  return {
    ...rest,
    created_at: seconds(rest.created_at),
    updated_at: seconds(rest.updated_at),
    ...(rest.closed_at ? { closed_at: seconds(rest.closed_at) } : {}),
    ...(labels.length > 0 ? { labels: labels.toSorted() } : {}),
    ...(close_reason ? { close_reason } : {}),
    comments: comments.map((one: { created_at: string }, at: number) => ({
      ...one,
      id: `c${at}`,
      issue_id: issue.id,
      created_at: seconds(one.created_at),
    })),
    dependency_count: 0,
    comment_count: comments.length,
  };
}

test("a tracker that takes in every line of another holds the same issues", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(issues, { maxLength: 5, selector: ({ id }) => id }),
      async (all) => {
        const tracker = createEmbeddedTracker(
          createMemoryStore({ embedder: createHashEmbedder() }),
        );
        const unique = all.map((issue, at) => ({ ...issue, fingerprint: `f${at}` }));
        for (const issue of unique) {
          const back = fromBeadsLine(toBeadsLine(issue));
          expect(back && (await tracker.receive(back.record, back.change))).toBe("added");
          expect(back && (await tracker.receive(back.record, back.change))).toBe("unchanged");
        }
        const held = await tracker.query({ status: ISSUE_STATUSES });
        expect(held.toSorted(byId)).toEqual(unique.toSorted(byId));
      },
    ),
    { numRuns: 30 },
  );
});

const byId = (a: Issue, b: Issue) => (a.id < b.id ? -1 : 1);

function changedInBeads(issue: Issue, fields: object): Issue | undefined {
  return cameBack(JSON.stringify({ ...asBeadsExports(issue), ...fields }));
}

test("a close in beads is a person's: it declines the finding", () => {
  const closed = changedInBeads(anIssue(), {
    status: "closed",
    close_reason: "not worth it",
    closed_at: "2026-03-05T10:00:00Z",
    updated_at: "2026-03-05T10:00:00Z",
  });
  expect(closed).toMatchObject({
    status: "closed",
    closeReason: "not worth it",
    closedBy: "person:beads",
    closedAt: Date.parse("2026-03-05T10:00:00Z"),
    updatedAt: Date.parse("2026-03-05T10:00:00Z"),
    revision: 2,
  });
});

test("a label, a priority, a title and a comment given in beads are taken over", () => {
  const issue = anIssue({ comments: [{ author: "agent:cluster", at: BUILT_AT + 5, text: "hm" }] });
  const comments = [
    { author: "agent:cluster", text: "hm", created_at: "2026-03-02T09:00:00Z" },
    { author: "ada", text: "yes", created_at: "2026-03-05T10:00:00Z" },
  ];
  const labels = [...issue.labels, "approved"];
  expect(changedInBeads(issue, { labels, priority: 0, title: "Tea", comments })).toMatchObject({
    labels,
    priority: 0,
    title: "Tea",
    comments: [
      { text: "hm", at: BUILT_AT + 5 },
      { author: "ada", text: "yes" },
      { author: "person:beads", text: 'in beads: title "Tea", priority 0, +approved' },
    ],
  });
});

test("what beads changed is laid over what happened here meanwhile, and only once", async () => {
  const tracker = createEmbeddedTracker(createMemoryStore({ embedder: createHashEmbedder() }));
  const actor = { by: "agent:queue", at: BUILT_AT + 9e9 };
  await tracker.receive(anIssue());
  await tracker.comment("sw-1", "nobody touched it", actor);
  // beads leaves the time of the last change alone when a label is given.
  const fields = { labels: [...anIssue().labels, "approved"] };
  const back = fromBeadsLine(JSON.stringify({ ...asBeadsExports(anIssue()), ...fields }));
  const receive = async () => back && (await tracker.receive(back.record, back.change));
  expect(await receive()).toBe("updated");
  const approved = await tracker.get("sw-1");
  expect(approved?.labels).toContain("approved");
  expect(approved?.comments.map(({ text }) => text)).toEqual([
    "nobody touched it",
    "in beads: +approved",
  ]);
  expect(await receive()).toBe("older");
  await tracker.close("sw-1", "done", actor);
  await tracker.reopen("sw-1", "after all", actor);
  expect(await receive()).toBe("older");
  expect((await tracker.get("sw-1"))?.labels).not.toContain("approved");
});

test("what was closed here meanwhile is not opened or closed again from beads", () => {
  const line = { ...asBeadsExports(anIssue()), status: "blocked" };
  const closed = anIssue({ status: "closed", closedBy: "agent:merge", closedAt: BUILT_AT });
  const changed = fromBeadsLine(JSON.stringify(line))?.change(closed);
  expect(changed).toMatchObject({ status: "closed", closedBy: "agent:merge" });
});

test("leaving a state in beads takes its marks away", () => {
  const closed = anIssue({ status: "closed", closedAt: BUILT_AT, closeReason: "x", closedBy: "y" });
  expect(changedInBeads(closed, { status: "open" })).not.toHaveProperty("closedBy");
  const claimed = anIssue({
    status: "in_progress",
    claimedBy: "a",
    claimToken: "t",
    leaseUntil: 1,
  });
  expect(changedInBeads(claimed, { status: "deferred" })).toMatchObject({ status: "blocked" });
  expect(changedInBeads(claimed, { status: "open" })).not.toHaveProperty("claimToken");
  const taken = changedInBeads(anIssue(), { status: "hooked", assignee: "bea" });
  expect(taken).toMatchObject({ status: "in_progress", claimedBy: "bea" });
});

test("whoever claims in beads and does nothing loses the claim after 7 days", () => {
  const updated_at = "2026-03-04T09:00:00Z";
  const taken = changedInBeads(anIssue(), { status: "in_progress", assignee: "bea", updated_at });
  expect(taken?.leaseUntil).toBe(Date.parse("2026-03-11T09:00:00Z"));
});

test("what was approved and done loses its approval where it is reopened in beads, unless that comes with it", () => {
  const labels = ["consolidation", "approved"];
  const closed = anIssue({ status: "closed", closedAt: BUILT_AT, closedBy: "agent:merge", labels });
  expect(changedInBeads(closed, { status: "open" })).toMatchObject({
    status: "open",
    labels: ["consolidation"],
  });
  const declined = { ...closed, labels: ["consolidation"], closedBy: "person:ada" };
  expect(changedInBeads(declined, { status: "open", labels })).toMatchObject({ labels });
});

test("a line written over one in beads keeps what is not slowwave's, and never goes back in time", () => {
  const issue = anIssue({ status: "in_progress", claimedBy: "agent:merge" });
  const theirs = { notes: "ours", design: "d", external_ref: "gh-1", assignee: "bea" };
  const line = { ...asBeadsExports(issue), ...theirs, dependency_count: 2, description: "Mine." };
  const stored = {
    ...line,
    updated_at: "2027-01-01T00:00:00Z",
    metadata: { slowwave: issue, x: 1 },
  };
  const known = fromBeadsLine(JSON.stringify(stored));
  if (known === undefined) throw new Error("not ours");
  const open = { ...anIssue(), status: "open" as const };
  const written = JSON.parse(toBeadsLine(open, { known, marks: { slowwave_op: "op-1" } }));
  expect(written).toMatchObject({ notes: "ours", design: "d", external_ref: "gh-1" });
  expect(written).toMatchObject({ description: "Mine.", updated_at: "2027-01-01T00:00:00.000Z" });
  expect(written.metadata).toMatchObject({ x: 1, slowwave_op: "op-1", slowwave: { id: open.id } });
  expect(written).not.toHaveProperty("dependency_count");
  // The claim is over, so nobody holds it.
  expect(written).not.toHaveProperty("assignee");
});

test("titles and descriptions are cut to what beads can hold, and come back whole", () => {
  const title = "漢".repeat(400);
  const issue = anIssue({ title, notes: { ...anIssue().notes, reason: "é".repeat(60_000) } });
  const line = JSON.parse(toBeadsLine(issue));
  expect(Buffer.byteLength(line.title)).toBeLessThanOrEqual(500);
  expect(Buffer.byteLength(line.description)).toBeLessThanOrEqual(60_000);
  expect(cameBack(toBeadsLine(issue))).toEqual(issue);
});

test("a closed line has a time of closing, an open one never", () => {
  expect(JSON.parse(toBeadsLine(anIssue({ status: "closed" })))).toHaveProperty("closed_at");
  expect(JSON.parse(toBeadsLine(anIssue({ closedAt: 1 })))).not.toHaveProperty("closed_at");
});

test("issues and memories that are beads' own are nobody's here", () => {
  expect(fromBeadsLine('{"_type":"memory","key":"k","value":"v"}')).toBeUndefined();
  expect(fromBeadsLine('{"id":"bd-1","title":"t","priority":2}')).toBeUndefined();
  const other = { id: "bd-1", title: "t", priority: 2, metadata: { theirs: 1 } };
  expect(fromBeadsLine(JSON.stringify(other))).toBeUndefined();
});

test.each([
  ["no json", "expected one JSON object"],
  ['{"title":"t","priority":2}', "id:"],
  ['{"id":"a","title":"t","priority":9}', "priority:"],
  ['{"id":"a","title":"t","priority":2,"metadata":{"slowwave":{"id":"a"}}}', "namespace:"],
  [JSON.stringify({ ...asBeadsExports(anIssue()), id: "sw-2" }), "the line is of sw-2"],
  [JSON.stringify({ ...asBeadsExports(anIssue()), status: "closed", closed_at: "soon" }), "time:"],
])("a line that does not fit is an input error: %s", (line, message) => {
  expect(() => fromBeadsLine(line)).toThrow(
    expect.objectContaining({ code: "input", message: expect.stringContaining(message) }),
  );
});
