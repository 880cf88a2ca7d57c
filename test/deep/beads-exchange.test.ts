import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { fromBeadsLine, toBeadsLine } from "../../src/ports/beads-line.ts";
import { anIssue, BUILT_AT } from "../builders.ts";
import { BD, createRealBeads } from "./real-beads.ts";

async function createBeads() {
  const { project, bd } = await createRealBeads();
  const file = path.join(project, "exchange.jsonl");
  return {
    run: bd,
    take: async (lines: readonly string[]) => {
      await writeFile(file, lines.map((line) => `${line}\n`).join(""));
      bd("import", file);
    },
    give: async () => {
      bd("export", "--all", "-o", file);
      return (await readFile(file, "utf8")).trimEnd().split("\n");
    },
  };
}

test.skipIf(BD === undefined)("issues come back from a real bd as they were", async () => {
  const beads = await createBeads();
  const issues = [
    anIssue({ title: 'two "memories", 漢字 🤔\\n', comments: [comment("hm"), comment("ok")] }),
    anIssue({ id: "sw-2", status: "closed", closedAt: BUILT_AT + 1, closedBy: "person:ada" }),
    anIssue({ id: "sw-3", status: "in_progress", claimedBy: "agent:merge", leaseUntil: 5 }),
    anIssue({ id: "sw-4", status: "blocked", labels: ["a b", "c,d", "approved"], priority: 0 }),
  ];
  await beads.take(issues.map((issue) => toBeadsLine(issue)));
  const back = (await beads.give()).map((line) => fromBeadsLine(line));
  for (const one of back) expect(one?.change(one.record)).toBe(one?.record);
  const records = back.flatMap((one) => one?.record ?? []);
  expect(records.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(issues);
});

test.skipIf(BD === undefined)(
  "issues imported again after a change add no comment twice",
  async () => {
    const beads = await createBeads();
    const issue = anIssue({ comments: [comment("hm")] });
    await beads.take([toBeadsLine(issue)]);
    const later = { ...issue, priority: 0 as const, updatedAt: BUILT_AT + 5000, revision: 2 };
    await beads.take([toBeadsLine(later)]);
    const [line = ""] = await beads.give();
    expect(fromBeadsLine(line)?.line.comments).toHaveLength(1);
  },
);

test.skipIf(BD === undefined)(
  "a label, a comment and a close given in a real bd arrive",
  async () => {
    const beads = await createBeads();
    const issues = ["sw-1", "sw-2"].map((id) => anIssue({ id, updatedAt: BUILT_AT + 999 }));
    await beads.take(issues.map((issue) => toBeadsLine(issue)));
    beads.run("update", "sw-1", "--add-label", "approved");
    beads.run("comments", "add", "sw-1", "Looks right");
    beads.run("close", "sw-2", "--reason", "both are right");
    const byId = new Map(
      (await beads.give()).flatMap((line) => {
        const back = fromBeadsLine(line);
        return back ? [[back.record.id, back.change(back.record)] as const] : [];
      }),
    );
    expect(byId.get("sw-1")?.labels).toContain("approved");
    expect(byId.get("sw-1")?.comments.map(({ text }) => text)).toEqual([
      "Looks right",
      "in beads: +approved",
    ]);
    expect(byId.get("sw-2")).toMatchObject({
      status: "closed",
      closeReason: "both are right",
      closedBy: "person:beads",
    });
  },
);

function comment(text: string) {
  return { author: "person:ada", at: BUILT_AT + 1234, text };
}
