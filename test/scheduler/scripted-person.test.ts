import fc from "fast-check";
import { expect, test } from "vitest";
import { aVault, stepsOf } from "./a-vault.ts";

/** One thing that a person does between two runs; `at` picks the note. */
interface Act {
  readonly kind:
    | "text"
    | "below"
    | "tag"
    | "property"
    | "rename"
    | "delete"
    | "own note"
    | "break"
    | "pin"
    | "forget"
    | "store"
    | "copy"
    | "callout";
  readonly at: number;
}

const acts: fc.Arbitrary<readonly (readonly Act[])[]> = fc.array(
  fc.array(
    fc.record({
      kind: fc.constantFrom(
        ...([
          ...["text", "text", "below", "tag", "property", "rename", "delete", "own note"],
          ...["break", "pin", "forget", "store", "copy", "callout"],
        ] as const),
      ),
      at: fc.nat(20),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  { minLength: 1, maxLength: 3 },
);

test("whatever a person does to notes between runs, nothing of theirs is lost, and a run finds an end", async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (nights) => {
      const world = await aWorld();
      for (const night of nights) {
        for (const act of night) await world.perform(act);
        await world.vault.run();
        await world.expectNothingLost();
      }
      const again = await world.vault.run();
      expect(stepsOf(again).filter((step) => !step.endsWith("none"))).toEqual([]);
    }),
    { numRuns: 5 },
  );
});

type Edit = Exclude<Act["kind"], "own note" | "store" | "rename" | "copy" | "delete">;

/** What is replaced in a note, and by what, given a word that must not be lost. */
const EDITS: Readonly<Record<Edit, readonly [RegExp, (mine: string) => string]>> = {
  text: [/\.\n/, (mine) => `. And ${mine}.\n`],
  below: [/$/, (mine) => `\nBelow: ${mine}\n`],
  tag: [/^tags:.*\n/m, (mine) => `tags:\n  - ${mine}\n`],
  property: [/^kind:/m, (mine) => `mine: ${mine}\nkind:`],
  pin: [/^pinned: false/m, (mine) => `mine2: ${mine}\npinned: true`],
  forget: [/^kind:/m, (mine) => `mine3: ${mine}\nforget: true\nkind:`],
  break: [/^why:/m, (mine) => `kind: ${mine}\nwhy:`],
  callout: [/Where this comes from/, (mine) => `Sources ${mine}`],
};

async function aWorld() {
  const vault = await aVault([
    { id: "a", content: "Ann drinks green tea in the morning.", tags: ["tea"] },
    { id: "b", content: "Bob takes the train at eight." },
    { id: "c", content: "The clinic opens at nine." },
  ]);
  await vault.promote();
  const { person } = vault;
  /** What the person wrote, and the note it went to. */
  const words = new Map<string, string>();
  const own = new Map<string, string>();
  let counter = 0;
  const word = (note: string): string => {
    counter += 1;
    words.set(`marker${counter}x`, note);
    return `marker${counter}x`;
  };
  const shared = async () =>
    (await person.notes()).filter((note) => !own.has(note) && note !== "Mine.md");
  const editIfThere = async (note: string, from: string | RegExp, to: () => string) => {
    const text = await person.read(note);
    if (text.search(from) >= 0)
      await person.write(
        note,
        text.replace(from, () => to()),
      );
  };

  const writeOwn = async (at: number): Promise<void> => {
    // A name of its own each time: a person who overwrites a note of theirs has lost nothing to us.
    const name = `Own ${at} ${own.size}.md`;
    own.set(name, `Just mine ${at}: ${word(name)}`);
    await person.write(name, own.get(name) ?? "");
  };
  const changeStore = async (at: number): Promise<void> => {
    const all = await vault.deps.store.read("memory", { status: ["promoted", "active"] });
    const memory = all[at % Math.max(1, all.length)];
    if (memory) await vault.change(memory.id, { content: `${memory.content} Noted ${at}.` });
  };
  const remove = async (note: string): Promise<void> => {
    const text = await person.read(note);
    for (const mine of words.keys()) if (text.includes(mine)) words.delete(mine);
    await person.delete(note);
  };
  const actOn = async (note: string, { kind, at }: Act): Promise<void> => {
    if (kind === "rename") await person.move(note, `Moved/${at} ${counter++}.md`);
    else if (kind === "copy")
      await person.write(note.replace(".md", ` ${counter++}.md`), await person.read(note));
    else if (kind === "delete") await remove(note);
    else if (kind in EDITS) {
      // Only an edit's kind is a key of EDITS.
      const [from, to] = EDITS[kind as Edit];
      await editIfThere(note, from, () => to(word(note)));
    }
  };
  const perform = async (act: Act): Promise<void> => {
    if (act.kind === "own note") await writeOwn(act.at);
    if (act.kind === "store") await changeStore(act.at);
    const notes = await shared();
    const note = notes[act.at % Math.max(1, notes.length)];
    if (note !== undefined) await actOn(note, act);
  };

  const expectNothingLost = async (): Promise<void> => {
    const texts = await Promise.all((await person.notes()).map((note) => person.read(note)));
    const memories = await vault.deps.store.read("memory");
    const everywhere = [...texts, ...memories.map((memory) => JSON.stringify(memory))].join("\n");
    expect([...words.keys()].filter((mine) => !everywhere.includes(mine))).toEqual([]);
    for (const [note, text] of own) expect(await person.read(note)).toBe(text);
    expect(await person.read("Mine.md")).toBe("My own note.\n");
  };
  return { vault, perform, expectNothingLost };
}
