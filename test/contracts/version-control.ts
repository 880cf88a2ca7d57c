import { expect, test } from "vitest";
import type { VersionControl } from "../../src/ports/version-control.ts";

export interface VersionControlHarness {
  readonly control: VersionControl;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** What every version control must do. `open` gives a fresh repository without commits, in which `ignored/` is ignored. */
export function testVersionControl(name: string, open: () => Promise<VersionControlHarness>): void {
  test(`${name}: a fresh repository is ready and has no run`, async () => {
    const { control } = await open();
    expect(await control.state()).toEqual({ kind: "ready" });
    expect(await control.hasRun("run-1")).toBe(false);
  });

  test(`${name}: a commit is found by its run, exactly`, async () => {
    const { control, write } = await open();
    await write("a.md", "x");
    const result = await control.commit({ paths: ["a.md"], message: "Promote", runId: "run-12" });
    expect(result).toEqual({
      kind: "committed",
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      ignored: [],
    });
    expect(await control.hasRun("run-12")).toBe(true);
    expect(await control.hasRun("run-1")).toBe(false);
    expect(await control.hasRun("run-.2")).toBe(false);
  });

  test(`${name}: no paths, unchanged paths and paths never there are nothing to commit`, async () => {
    const { control, write } = await open();
    await write("a.md", "x");
    await control.commit({ paths: ["a.md"], message: "One", runId: "run-1" });
    const nothing = { kind: "nothing", ignored: [] };
    expect(await control.commit({ paths: [], message: "m", runId: "run-2" })).toEqual(nothing);
    expect(await control.commit({ paths: ["a.md"], message: "m", runId: "run-2" })).toEqual(
      nothing,
    );
    expect(await control.commit({ paths: ["b/c.md"], message: "m", runId: "run-2" })).toEqual(
      nothing,
    );
    expect(await control.hasRun("run-2")).toBe(false);
  });

  test(`${name}: a changed and a removed note are committed`, async () => {
    const { control, write, remove } = await open();
    await write("a.md", "x");
    await write("b/c.md", "x");
    await control.commit({ paths: ["a.md", "b/c.md"], message: "One", runId: "run-1" });
    await write("a.md", "y");
    await remove("b/c.md");
    const commit = { paths: ["a.md", "b/c.md"], message: "Two", runId: "run-2" };
    expect(await control.commit(commit)).toMatchObject({ kind: "committed" });
    expect(await control.commit(commit)).toMatchObject({ kind: "nothing" });
  });

  test(`${name}: ignored notes are reported and left out`, async () => {
    const { control, write } = await open();
    await write("ignored/a.md", "x");
    await write("b.md", "x");
    expect(await control.commit({ paths: ["ignored/a.md"], message: "m", runId: "run-1" })).toEqual(
      {
        kind: "nothing",
        ignored: ["ignored/a.md"],
      },
    );
    const both = { paths: ["ignored/a.md", "b.md"], message: "m", runId: "run-2" };
    expect(await control.commit(both)).toMatchObject({
      kind: "committed",
      ignored: ["ignored/a.md"],
    });
  });

  test.each([
    { paths: ["../a.md"], runId: "run-1" },
    { paths: ["a.md"], runId: "run 1\nX: y" },
  ])(`${name}: %j is refused`, async (part) => {
    const { control, write } = await open();
    await write("a.md", "x");
    await expect(control.commit({ ...part, message: "m" })).rejects.toMatchObject({
      name: "SlowwaveError",
    });
  });
}
