import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, onTestFinished } from "vitest";
import { openNoteVault } from "../../../src/adapters/obsidian/note-vault.ts";
import { noteFormat } from "../../note-formats.ts";
import { aSubject } from "./a-subject.ts";
import { anyText } from "./check-fixpoint.ts";
import { propertiesOf, textOf } from "./note-text.ts";

/**
 * Random titles and contents as notes on disk: read back they are what was written, no edit is seen in them, and writing them again changes
 * nothing. Each at the path that its title gives. Files are written plainly: what makes a write durable has tests of its own, and takes
 * most of the time.
 */
export async function checkRoundTrip(numRuns: number): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), "slowwave-round-trip-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(path.join(root, "Memories", "Semantic"), { recursive: true });
  const vault = openNoteVault({ root });
  const check = async (title: string, content: string): Promise<void> => {
    const subject = aSubject({ content, extra: { title } });
    const notePath = noteFormat.pathFor(subject.memory, () => false);
    const written = textOf(subject);
    await writeFile(path.join(root, notePath), written);
    const existing = (await vault.read(notePath)) ?? "";
    expect(existing).toBe(written);
    expect(propertiesOf(existing).title).toBe(noteFormat.titleOf(subject.memory));
    expect(noteFormat.compose(subject, existing)).toEqual({ kind: "text", text: existing });
    const edits = await noteFormat.readEdits({
      subject,
      existing,
      written: async () => undefined,
    });
    expect(edits).toEqual({ kind: "none" });
  };
  await fc.assert(fc.asyncProperty(anyText, anyText, check), { numRuns });
}
