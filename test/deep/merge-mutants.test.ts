import fc from "fast-check";
import { expect, test } from "vitest";
import { composeContent } from "../../src/agents/merge/compose-content.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import type { Memory } from "../../src/model/memory.ts";
import { verifyMerge } from "../../src/text/merge-check/verify-merge.ts";
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
