import { expect, test } from "vitest";
import { fingerprintOf, type NewIssue, type Urgency } from "../../src/model/issue.ts";
import type { ClaimRequest, IssueActor, IssueTracker } from "../../src/ports/issue-tracker.ts";
import { anIssue, BUILT_AT } from "../builders.ts";

const ADA: IssueActor = { by: "person:ada", at: BUILT_AT + 1000 };

function aFinding(
  fields: { memoryIds?: string[]; agent?: string; urgency?: Urgency } = {},
): NewIssue {
  const { memoryIds = ["m1", "m2"], agent = "cluster", urgency = "medium" } = fields;
  return {
    namespace: "default",
    title: `${memoryIds.length} memories look alike`,
    notes: {
      agent,
      action: "llm_review",
      memoryIds,
      urgency,
      reason: "alike, not the same",
      scores: {},
      details: {},
    },
    fingerprint: fingerprintOf({
      agent,
      namespace: "default",
      action: "llm_review",
      members: memoryIds.map((id) => ({ id, content: `content of ${id}` })),
    }),
  };
}

function aClaim(fields: Partial<ClaimRequest> = {}): ClaimRequest {
  return { owner: "agent:merge", token: "t1", now: BUILT_AT + 5000, leaseMs: 60_000, ...fields };
}

/** What every tracker must do. `open` gives a fresh, empty one. */
export function testIssueTracker(name: string, open: () => Promise<IssueTracker>): void {
  testCreation(name, open);
  testClaims(name, open);
  testSteps(name, open);
  testReceiving(name, open);
}

function testCreation(name: string, open: () => Promise<IssueTracker>): void {
  test(`${name}: a created issue is open, labelled and reads back unchanged`, async () => {
    const tracker = await open();
    const { issue, created } = await tracker.create(aFinding(), ADA);
    expect(created).toBe(true);
    expect(issue).toMatchObject({ status: "open", priority: 2, createdAt: ADA.at });
    expect(issue.labels).toEqual(["consolidation", "consolidation:cluster", "urgency:medium"]);
    expect(await tracker.get(issue.id)).toEqual(issue);
  });

  test(`${name}: the same finding returns the issue that is there`, async () => {
    const tracker = await open();
    const first = await tracker.create(aFinding(), ADA);
    const claimed = await tracker.claim(first.issue.id, aClaim());
    const again = await tracker.create(aFinding(), { by: "agent:cluster", at: ADA.at + 1 });
    expect(again.created).toBe(false);
    expect({ ok: true, issue: again.issue }).toEqual(claimed);
    expect(await tracker.query({})).toHaveLength(1);
  });

  test(`${name}: parallel creations of one finding give one issue`, async () => {
    const tracker = await open();
    const results = await Promise.all(
      Array.from({ length: 8 }, () => tracker.create(aFinding(), ADA)),
    );
    expect(new Set(results.map(({ issue }) => issue.id)).size).toBe(1);
    expect(await tracker.query({})).toHaveLength(1);
  });

  test(`${name}: a finding created again after its issue was closed opens it again, with its history`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    await tracker.approve(issue.id, ADA);
    await tracker.close(issue.id, "not now", ADA);
    const again = await tracker.create(aFinding(), { by: "agent:cluster", at: ADA.at + 1 });
    expect(again.created).toBe(true);
    expect(again.issue).toMatchObject({ id: issue.id, status: "open", createdAt: ADA.at });
    expect(again.issue.labels).not.toContain("approved");
    expect(again.issue).not.toHaveProperty("closedBy");
    expect(again.issue.comments.map(({ text }) => text)).toEqual([
      "approved",
      "closed: not now",
      "found again",
    ]);
    expect(await tracker.get(issue.id)).toEqual(again.issue);
  });

  test(`${name}: a query matches all its fields and lists the most urgent first, then the oldest`, async () => {
    const tracker = await open();
    const create = async (id: string, agent: string, urgency: Urgency, at: number) =>
      (await tracker.create(aFinding({ memoryIds: [id], agent, urgency }), { ...ADA, at })).issue
        .id;
    const late = await create("m1", "decay", "low", BUILT_AT + 2);
    const early = await create("m2", "decay", "low", BUILT_AT + 1);
    const urgent = await create("m3", "decay", "high", BUILT_AT + 3);
    const other = await create("m4", "cluster", "high", BUILT_AT + 4);
    const ids = async (query: Parameters<IssueTracker["query"]>[0]) =>
      (await tracker.query(query)).map(({ id }) => id);
    expect(await ids({})).toEqual([urgent, other, early, late]);
    expect(await ids({ agent: "decay" })).toEqual([urgent, early, late]);
    expect(await ids({ agent: "decay", urgency: "low", limit: 1 })).toEqual([early]);
    expect(await ids({ labels: ["urgency:high", "consolidation:cluster"] })).toEqual([other]);
    expect(await ids({ namespace: "elsewhere" })).toEqual([]);
    await tracker.close(urgent, "done", ADA);
    expect(await ids({ status: ["closed"] })).toEqual([urgent]);
    expect(await ids({ status: ["open", "blocked"], agent: "decay" })).toEqual([early, late]);
    const [found] = await tracker.query({
      fingerprint: aFinding({ memoryIds: ["m4"] }).fingerprint,
    });
    expect(found?.id).toBe(other);
  });
}

function testClaims(name: string, open: () => Promise<IssueTracker>): void {
  test(`${name}: of parallel claims exactly one wins, and the others learn who holds it`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        tracker.claim(issue.id, aClaim({ owner: `agent:${n}`, token: `t${n}` })),
      ),
    );
    const winners = results.flatMap((result) => (result.ok ? [result.issue] : []));
    expect(winners).toHaveLength(1);
    const losers = results.filter((result) => !result.ok);
    expect(losers).toHaveLength(7);
    for (const loser of losers) {
      expect(loser).toEqual({ ok: false, why: "held", holder: winners[0]?.claimedBy });
    }
    expect(await tracker.get(issue.id)).toEqual(winners[0]);
    expect(winners[0]).toMatchObject({ status: "in_progress", leaseUntil: BUILT_AT + 65_000 });
  });

  test(`${name}: a claim can be taken over once its lease has run out, not before`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    await tracker.claim(issue.id, aClaim());
    const other = { owner: "agent:other", token: "t2" };
    const early = await tracker.claim(issue.id, aClaim({ ...other, now: BUILT_AT + 64_999 }));
    expect(early).toMatchObject({ ok: false, why: "held" });
    const late = await tracker.claim(issue.id, aClaim({ ...other, now: BUILT_AT + 65_000 }));
    expect(late).toMatchObject({ ok: true, issue: { claimedBy: "agent:other" } });
  });

  test(`${name}: a claim made again with its own token renews the lease`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    await tracker.claim(issue.id, aClaim());
    const again = await tracker.claim(issue.id, aClaim({ now: BUILT_AT + 6000 }));
    expect(again).toMatchObject({ ok: true, issue: { leaseUntil: BUILT_AT + 66_000 } });
  });

  test(`${name}: closed, blocked and unknown issues cannot be claimed`, async () => {
    const tracker = await open();
    const [closed, blocked] = [
      (await tracker.create(aFinding({ memoryIds: ["m1"] }), ADA)).issue.id,
      (await tracker.create(aFinding({ memoryIds: ["m2"] }), ADA)).issue.id,
    ];
    await tracker.close(closed, "done", ADA);
    await tracker.block(blocked, "the model is away", ADA);
    const notClaimable = { ok: false, why: "not_claimable" };
    expect(await tracker.claim(closed, aClaim())).toEqual(notClaimable);
    expect(await tracker.claim(blocked, aClaim())).toEqual(notClaimable);
    expect(await tracker.claim("sw-none", aClaim())).toEqual({ ok: false, why: "not_found" });
  });
}

function testSteps(name: string, open: () => Promise<IssueTracker>): void {
  test(`${name}: closing keeps reason and author, releases the claim, and the first reason stands`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    await tracker.claim(issue.id, aClaim());
    const closed = await tracker.close(issue.id, "merged", ADA);
    expect(closed).toMatchObject({
      status: "closed",
      closeReason: "merged",
      closedBy: "person:ada",
    });
    expect(closed).not.toHaveProperty("claimedBy");
    expect(await tracker.close(issue.id, "again", { ...ADA, at: ADA.at + 1 })).toEqual(closed);
  });

  test(`${name}: a blocked issue tells the error, and reopening takes it away`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    const blocked = await tracker.block(issue.id, "the model is away", ADA);
    expect(blocked).toMatchObject({ status: "blocked", notes: { error: "the model is away" } });
    const reopened = await tracker.reopen(issue.id, "it is back", ADA);
    expect(reopened.status).toBe("open");
    expect(reopened.notes).toEqual(issue.notes);
    expect(await tracker.get(issue.id)).toEqual(reopened);
  });

  test(`${name}: reopening a claimed issue releases it, reopening an open one changes nothing`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    expect(await tracker.reopen(issue.id, "why not", ADA)).toEqual(issue);
    await tracker.claim(issue.id, aClaim());
    const reopened = await tracker.reopen(issue.id, "its worker is gone", ADA);
    expect(reopened).not.toHaveProperty("claimToken");
    const next = await tracker.claim(issue.id, aClaim({ owner: "agent:other", token: "t2" }));
    expect(next).toMatchObject({ ok: true });
  });

  test(`${name}: an approval is a label, given once, and opens what was blocked`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    await tracker.block(issue.id, "the model is away", ADA);
    const approved = await tracker.approve(issue.id, ADA);
    expect(approved.status).toBe("open");
    expect(approved.labels.filter((label) => label === "approved")).toHaveLength(1);
    expect(await tracker.approve(issue.id, { ...ADA, at: ADA.at + 1 })).toEqual(approved);
  });

  test(`${name}: an approval may bring the words of a merge, which a later close and reopening take away`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    const words = (text: string) => tracker.approve(issue.id, ADA, { mergedText: text });
    expect((await words("Both.")).notes.details).toEqual({ mergedText: "Both." });
    expect((await words("Both, better.")).notes.details).toEqual({ mergedText: "Both, better." });
    await tracker.close(issue.id, "no", ADA);
    const reopened = await tracker.reopen(issue.id, "after all", ADA);
    expect(reopened.notes.details).toEqual({});
    expect(await tracker.get(issue.id)).toEqual(reopened);
  });

  test(`${name}: a closed issue is neither approved nor blocked, and the way out is named`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    await tracker.close(issue.id, "no", ADA);
    const hint = expect.stringContaining(`issues reopen ${issue.id}`);
    await expect(tracker.approve(issue.id, ADA)).rejects.toMatchObject({ code: "tracker", hint });
    await expect(tracker.block(issue.id, "x", ADA)).rejects.toMatchObject({ code: "tracker" });
  });

  test(`${name}: a comment is kept with its author and time`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    const commented = await tracker.comment(issue.id, 'Is "m1" still true? 🤔', ADA);
    expect(commented.comments).toEqual([
      { author: "person:ada", at: ADA.at, text: 'Is "m1" still true? 🤔' },
    ]);
    expect(await tracker.get(issue.id)).toEqual(commented);
  });

  test(`${name}: parallel comments are all kept`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    const texts = Array.from({ length: 6 }, (_, n) => `comment ${n}`);
    await Promise.all(texts.map((text) => tracker.comment(issue.id, text, ADA)));
    const comments = (await tracker.get(issue.id))?.comments.map(({ text }) => text);
    expect(comments?.toSorted()).toEqual(texts);
  });

  test(`${name}: an id that does not exist is not found`, async () => {
    const tracker = await open();
    expect(await tracker.get("sw-'none")).toBeUndefined();
    for (const step of [
      () => tracker.close("sw-'none", "x", ADA),
      () => tracker.block("sw-'none", "x", ADA),
      () => tracker.reopen("sw-'none", "x", ADA),
      () => tracker.approve("sw-'none", ADA),
      () => tracker.comment("sw-'none", "x", ADA),
    ]) {
      await expect(step()).rejects.toMatchObject({ code: "not_found" });
    }
  });
}

function testReceiving(name: string, open: () => Promise<IssueTracker>): void {
  test(`${name}: an issue from elsewhere is kept as it is, and is unchanged the next time`, async () => {
    const tracker = await open();
    const issue = anIssue({ status: "in_progress", claimedBy: "person:bea", revision: 7 });
    expect(await tracker.receive(issue)).toBe("added");
    expect(await tracker.get(issue.id)).toEqual(issue);
    expect(await tracker.receive(issue)).toBe("unchanged");
  });

  test(`${name}: of two states of one issue the later changed one stays`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    const later = { ...issue, priority: 0 as const, updatedAt: issue.updatedAt + 1 };
    expect(await tracker.receive(later)).toBe("updated");
    expect(await tracker.get(issue.id)).toEqual({ ...later, revision: issue.revision + 1 });
    expect(await tracker.receive(issue)).toBe("older");
    expect(await tracker.receive({ ...later, priority: 4 })).toBe("older");
    expect(await tracker.get(issue.id)).toMatchObject({ priority: 0 });
  });

  test(`${name}: a finding that waits already is not taken in under another id`, async () => {
    const tracker = await open();
    const { issue } = await tracker.create(aFinding(), ADA);
    const other = { ...issue, id: "sw-other" };
    expect(await tracker.receive(other)).toBe("duplicate");
    expect(await tracker.get("sw-other")).toBeUndefined();
    expect(await tracker.receive({ ...other, status: "closed" })).toBe("added");
  });
}
