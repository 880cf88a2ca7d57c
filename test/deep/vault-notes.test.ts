import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { openNoteVault } from "../../src/adapters/obsidian/note-vault.ts";
import { foldCase } from "../../src/text/normalize.ts";
import { aSubject } from "../adapters/obsidian/a-subject.ts";
import { checkFixpoint } from "../adapters/obsidian/check-fixpoint.ts";
import { checkRoundTrip } from "../adapters/obsidian/check-round-trip.ts";
import { textOf } from "../adapters/obsidian/note-text.ts";
import { noteFormat } from "../note-formats.ts";

test("compose is a fixpoint for 10,000 random memories", () => {
  checkFixpoint(10_000);
}, 600_000);

test("10,000 random titles and contents round-trip through files unchanged", async () => {
  await checkRoundTrip(10_000);
}, 600_000);

test("1,000 random titles become 1,000 notes on disk that read back", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "slowwave-deep-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const vault = openNoteVault({ root });
  const taken = new Set<string>();
  const titles = fc.sample(fc.string({ unit: "binary", maxLength: 120 }), 1000);
  for (const [index, title] of titles.entries()) {
    const subject = aSubject({ id: `m${index}`, extra: { title } });
    const notePath = noteFormat.pathFor(subject.memory, (folded) => taken.has(folded));
    taken.add(foldCase(notePath));
    const text = textOf(subject);
    await vault.write(notePath, text);
    expect(await vault.read(notePath)).toBe(text);
  }
  expect(taken.size).toBe(1000);
  expect((await vault.paths()).filter((found) => found.endsWith(".md"))).toHaveLength(1000);
}, 600_000);
