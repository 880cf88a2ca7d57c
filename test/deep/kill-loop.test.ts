import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { open } from "../../src/index.ts";
import { canonicalJson } from "../../src/model/json.ts";
import { isLive, type Memory } from "../../src/model/memory.ts";
import { createHome } from "../e2e/spawn-cli.ts";

const BIN = path.resolve(import.meta.dirname, "../../bin/slowwave.js");
const DEMO = path.resolve(import.meta.dirname, "../../assets/demo/memories.jsonl");
const KILLS = 200;

interface Place {
  readonly home: string;
  readonly vault: string;
}

function start({ home, vault }: Place, ...argv: readonly string[]) {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [BIN, ...argv, "--vault", vault, "--quiet"], {
    stdio: "ignore",
    env: { PATH, HOME: home, SLOWWAVE_HOME: home },
  });
  return { child, ended: once(child, "exit") };
}

async function toEnd(place: Place, ...argv: readonly string[]): Promise<number | null> {
  const [code] = await start(place, ...argv).ended;
  return code;
}

/** Exit code, or `SIGKILL` where it was struck before it ended. */
async function struckAfter(
  place: Place,
  afterMs: number | undefined,
  ...argv: readonly string[]
): Promise<number | string> {
  const { child, ended } = start(place, ...argv);
  if (afterMs !== undefined) {
    await Promise.race([ended, wait(afterMs)]);
    child.kill("SIGKILL");
  }
  const [code, signal] = await ended;
  return signal ?? code;
}

const WHO = ["Ida", "Noor", "Pavel", "Quentin", "Rosa", "Sven", "Tamar", "Uli"];
const WHAT = [
  "waters the ferns on the second floor",
  "keeps the spare key of the bike shed",
  "writes the minutes of the architecture round",
  "reviews each migration of the billing tables",
  "drinks oat milk in every coffee",
  "maintains the label printer near the lift",
  "knows the way to the old server room",
  "collects the receipts of the Lisbon trip",
];

function factOf(round: number): string {
  const [who, what] = [WHO[round % 8], WHAT[Math.floor(round / 8) % 8]];
  return `${who} ${what}, as agreed in note ${round.toString(36)}.`;
}

async function contentOf(place: Place) {
  const { home: SLOWWAVE_HOME } = place;
  await using slowwave = await open({
    readOnly: true,
    env: { SLOWWAVE_HOME, HOME: SLOWWAVE_HOME },
  });
  const store = slowwave.getStorage();
  const kinds = ["memory", "relation", "issue"] as const;
  const [memories = [], ...others] = await Promise.all(kinds.map((kind) => store.read(kind)));
  const prepared = await store.read("journal", { state: ["prepared"] });
  const owed = await store.read("outbox", { state: ["open"] });
  return {
    // The kinds are read in this order.
    memories: memories as readonly Memory[],
    text: canonicalJson([memories, ...others]),
    unreadable: await store.verify(),
    unfinished: [...prepared, ...owed],
  };
}

function halfMerges(memories: readonly Memory[]): readonly string[] {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return memories
    .filter(
      (one) => isLive(one) && one.leaves.some((leaf) => byId.get(leaf)?.supersededBy !== one.id),
    )
    .map(({ id }) => id);
}

async function prepare(): Promise<Place> {
  const home = await createHome();
  const place = { home, vault: path.join(home, "vault") };
  await mkdir(place.vault);
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: place.vault });
  git("init", "--quiet");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  expect(await toEnd(place, "import", DEMO)).toBe(0);
  return place;
}

/** A scheduled run that is struck, beside somebody who remembers and somebody who recalls. */
async function playRound(
  place: Place,
  strike: {
    readonly fact: string;
    readonly runAt: number;
    readonly rememberAt: number | undefined;
  },
) {
  const [run, remembered] = await Promise.all([
    struckAfter(place, strike.runAt, "run", "--scheduled", "--interval-hours", "0"),
    struckAfter(place, strike.rememberAt, "remember", strike.fact),
    toEnd(place, "recall", strike.fact),
  ]);
  expect([0, 1, 3, "SIGKILL"]).toContain(run);
  const kills = [run, remembered].filter((end) => end === "SIGKILL").length;
  return { kills, isAcknowledged: remembered === 0 };
}

test(`${KILLS} random kills across scheduled runs with others remembering and recalling lose nothing, and end converged`, {
  timeout: 30 * 60_000,
}, async ({ annotate }) => {
  const place = await prepare();
  const begun = performance.now();
  expect(await toEnd(place, "recall", "ledger")).toBe(0);
  const took = performance.now() - begun;

  const shares = fc.sample(fc.double({ min: 0.05, max: 2.5, noNaN: true }), 3 * KILLS);
  const acknowledged: string[] = [];
  let [kills, rounds] = [0, 0];
  while (kills < KILLS && rounds < shares.length) {
    const [share = 1, other = 1] = [shares[rounds], shares[shares.length - 1 - rounds]];
    const fact = factOf(rounds);
    // Every third is left to end, so that something is acknowledged.
    const rememberAt = rounds % 3 === 0 ? undefined : other * took;
    const round = await playRound(place, { fact, runAt: share * took, rememberAt });
    if (round.isAcknowledged) acknowledged.push(fact);
    kills += round.kills;
    if (rounds % 20 === 0) {
      const { memories, unreadable } = await contentOf(place);
      expect([halfMerges(memories), unreadable]).toEqual([[], []]);
    }
    rounds += 1;
  }
  await annotate(
    `${kills} kills in ${rounds} rounds, ${acknowledged.length} memories acknowledged`,
  );
  expect(kills).toBeGreaterThanOrEqual(KILLS);
  expect(acknowledged.length).toBeGreaterThan(KILLS / 10);

  for (let count = 0; count < 2; count += 1) expect(await toEnd(place, "run")).toBeLessThan(2);
  const settled = await contentOf(place);
  expect(await toEnd(place, "run")).toBeLessThan(2);
  const again = await contentOf(place);
  expect(again.unfinished).toEqual([]);
  expect(again.unreadable).toEqual([]);
  expect(halfMerges(again.memories)).toEqual([]);
  const contents = new Set(again.memories.map(({ content }) => content));
  expect(acknowledged.filter((fact) => !contents.has(fact))).toEqual([]);
  expect(again.memories.length).toBe(settled.memories.length);
  expect(
    execFileSync("git", ["status", "--porcelain"], { cwd: place.vault, encoding: "utf8" }),
  ).toBe("");
});
