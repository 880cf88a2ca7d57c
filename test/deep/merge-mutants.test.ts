import fc from "fast-check";
import { expect, test } from "vitest";
import { composeContent } from "../../src/agents/merge/compose-content.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import type { Memory } from "../../src/model/memory.ts";
import { verifyMerge, verifyRewording } from "../../src/text/merge-check/verify-merge.ts";
import { aMemory, BUILT_AT } from "../builders.ts";

const sentence = fc
  .record({
    who: fc.constantFrom("Kim", "Dave", "Ola", "Priya"),
    whom: fc.constantFrom("Ann", "Bo", "Chen", "Elena"),
    not: fc.constantFrom("", " not"),
    count: fc.integer({ min: 2, max: 9999 }),
    what: fc.constantFrom("servers", "tickets", "boxes"),
    when: fc.constantFrom("", " on 12 May 2026", " yesterday", " at 9:30", " in `ops/run.sh`"),
  })
  .map(
    ({ who, whom, not, count, what, when }) =>
      `${who} did${not} send ${count} ${what} to ${whom}${when}.`,
  );

const sources: fc.Arbitrary<readonly Memory[]> = fc
  .array(
    fc.record({ said: fc.uniqueArray(sentence, { minLength: 1, maxLength: 3 }), days: fc.nat(5) }),
    {
      minLength: 2,
      maxLength: 4,
    },
  )
  .map((all) =>
    all.map(({ said, days }, at) =>
      aMemory({ id: `m${at}`, content: said.join(" "), createdAt: BUILT_AT + days * DAY_MS }),
    ),
  );

/** Ways to damage one sentence; each gives back another sentence, or none. */
const MUTATIONS: Readonly<Record<string, (text: string) => string>> = {
  "dropped sentence": () => "",
  "changed number": (text) =>
    text.replace(/\d+(?= (?:servers|tickets|boxes))/u, (n) => `${Number(n) + 1}`),
  "flipped denial": (text) =>
    text.includes(" not ") ? text.replace(" not ", " ") : text.replace(" did ", " did not "),
  "swapped names": (text) =>
    text.replace(/^(\w+)( .* to )(\w+)/u, (_all, who, middle, whom) => `${whom}${middle}${who}`),
  "invented detail": (text) => text.replace(" to ", " quickly to "),
  "other thing": (text) => text.replace(/servers|tickets|boxes/u, "chairs"),
};

test("no damaged merge of 10,000 passes the verifier, and every merge that passes is whole", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      sources,
      fc.constantFrom(...Object.keys(MUTATIONS)),
      fc.nat(20),
      (records, name, place) => {
        const { content, losses } = composeContent(records);
        expect(losses).toEqual([]);
        const lines = content.split(/(?<=\.)\s+/u);
        const at = place % lines.length;
        const damaged = lines.with(at, MUTATIONS[name]?.(lines[at] ?? "") ?? "").filter(Boolean);
        expect(damaged).not.toEqual(lines);
        expect([name, verifyMerge({ sources: records, merged: damaged.join("\n") })]).not.toEqual([
          name,
          [],
        ]);
        seen.set(name, (seen.get(name) ?? 0) + 1);
      },
    ),
    { numRuns: 10_000 },
  );
  for (const name of Object.keys(MUTATIONS)) expect(seen.get(name)).toBeGreaterThan(1000);
}, 600_000);

interface Statement {
  readonly who: string;
  readonly did: string;
  readonly count: number;
  readonly what: string;
  readonly whom: string;
  readonly when: string;
}

/** A sentence in parts, so that mutations know what to exchange. */
const statement: fc.Arbitrary<Statement> = fc.record({
  who: fc.constantFrom("Kim", "Dave", "The build server", "Priya"),
  did: fc.constantFrom("sent", "does not send", "sends", "might send"),
  count: fc.integer({ min: 2, max: 99 }),
  what: fc.constantFrom("tickets", "boxes"),
  whom: fc.constantFrom("Ann", "Bo", "Chen"),
  when: fc.constantFrom("", " every Monday", " at 9:30", " yesterday"),
});

function say({ who, did, count, what, whom, when }: Statement): string {
  return `${who} ${did} ${count} ${what} to ${whom}${when}`;
}

/** Ways to join two statements, as a model would. */
const JOINTS = [". ", "; ", ", and ", "; also, ", ". In addition, "] as const;

type Rewording = (a: Statement, b: Statement, joint: string) => string;

/** Each says something else, joins in a way that could mean something else, or drops something. */
const REWORDINGS: Readonly<Record<string, Rewording>> = {
  "names exchanged": (a, b, joint) =>
    [say({ ...a, who: b.who }), say({ ...b, who: a.who })].join(joint),
  "roles exchanged": (a, b, joint) => [say({ ...a, who: a.whom, whom: a.who }), say(b)].join(joint),
  "numbers exchanged": (a, b, joint) =>
    [say({ ...a, count: b.count }), say({ ...b, count: a.count })].join(joint),
  "a denial moved": (a, b, joint) =>
    [say({ ...a, did: b.did }), say({ ...b, did: a.did })].join(joint),
  "times exchanged": (a, b, joint) =>
    [say({ ...a, when: b.when }), say({ ...b, when: a.when })].join(joint),
  "a time at the front": (a, b) => `Every Monday ${say(a)}, and ${say(b)}`,
  "a subject left out": (a, b) => `${say(a)}, and ${say(b).slice(b.who.length + 1)}`,
  "subjects put together": (a, b) => `${a.who} and ${say(b)}`,
  "a cause": (a, b) => `${say(a)} because ${say(b)}`,
  "a condition": (a, b) => `If ${say(a)}, ${say(b)}`,
  "a speaker": (a, b) => `${a.whom} said that ${say(b)}; ${say(a)}`,
  "a statement dropped": (a) => say(a),
  "a passive": (a, b, joint) =>
    [`${a.count} ${a.what} were sent to ${a.whom} by ${a.who}`, say(b)].join(joint),
};

test("no damaged rewording of 10,000 passes, and honest ones do where no word could reach too far", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.tuple(statement, statement),
      fc.constantFrom(...JOINTS),
      fc.constantFrom(...Object.keys(REWORDINGS)),
      ([a, b], joint, name) => {
        // What both have alike, or one has of the other, makes no mutant when it is exchanged.
        fc.pre(a.who !== b.who && a.did !== b.did && a.count !== b.count && a.when !== b.when);
        const contents = [`${say(a)}.`, `${say(b)}.`];
        const sources = contents.map((content) => ({ content, createdAt: BUILT_AT }));
        const damaged = `${REWORDINGS[name]?.(a, b, joint) ?? ""}.`;
        const losses = verifyRewording({ sources, merged: damaged });
        expect([name, damaged, losses]).not.toEqual([name, damaged, []]);
        const second = joint === ". " ? say(a) : say(a).replace(/^The/u, "the");
        const honest = verifyRewording({ sources, merged: `${say(b)}${joint}${second}.` });
        const mayJoin = joint.startsWith(". ") || !/not|might/u.test(contents.join(" "));
        expect([contents, joint, honest.length === 0]).toEqual([contents, joint, mayJoin]);
        seen.set(name, (seen.get(name) ?? 0) + 1);
      },
    ),
    { numRuns: 10_000 },
  );
  for (const name of Object.keys(REWORDINGS)) expect(seen.get(name)).toBeGreaterThan(300);
}, 600_000);
