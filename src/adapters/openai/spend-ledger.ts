import { appendFile, mkdir, readFile } from "node:fs/promises";
import path from "node:path";

export interface Ceilings {
  readonly callsPerRun: number;
  readonly tokensPerRun: number;
  readonly callsPerDay: number;
  readonly tokensPerDay: number;
}

/** What was spent, of this run and of the day, by all processes that share the folder. */
export interface SpendLedger {
  /** Why one more call of about so many tokens would pass a ceiling; `undefined`: it may be made. */
  whyNot(tokens: number): Promise<string | undefined>;
  /** A call is entered before it is made: one that never returns has been paid for as well. */
  enterCall(): Promise<void>;
  enterTokens(tokens: number): Promise<void>;
  /** Of this run. */
  spent(): { readonly calls: number; readonly tokens: number };
}

/** One line an entry, appended: concurrent processes add to one file without losing each other's. */
export function openSpendLedger(input: {
  readonly folder: string;
  readonly ceilings: Ceilings;
  readonly wallNow: () => number;
}): SpendLedger {
  const { folder, ceilings, wallNow } = input;
  let [calls, tokens] = [0, 0];
  const fileOfToday = (): string =>
    path.join(folder, `spend-${new Date(wallNow()).toISOString().slice(0, 10)}.txt`);
  const enter = async (line: string): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await appendFile(fileOfToday(), `${line}\n`, { mode: 0o600 });
  };
  return {
    whyNot: async (wanted) => {
      const today = sum(await readFile(fileOfToday(), "utf8").catch(absent));
      const ceilingsNow: readonly (readonly [string, number, number])[] = [
        ["calls a run", calls + 1, ceilings.callsPerRun],
        ["tokens a run", tokens + wanted, ceilings.tokensPerRun],
        ["calls a day", today.calls + 1, ceilings.callsPerDay],
        ["tokens a day", today.tokens + wanted, ceilings.tokensPerDay],
      ];
      const passed = ceilingsNow.find(([, would, most]) => would > most);
      return passed && `the ceiling of ${passed[2]} ${passed[0]} is reached`;
    },
    enterCall: async () => {
      calls += 1;
      await enter("calls 1");
    },
    enterTokens: async (spent) => {
      tokens += spent;
      await enter(`tokens ${spent}`);
    },
    spent: () => ({ calls, tokens }),
  };
}

function sum(text: string): { readonly calls: number; readonly tokens: number } {
  let [calls, tokens] = [0, 0];
  for (const [, what, count] of text.matchAll(/^(calls|tokens) (\d+)$/gmu)) {
    if (what === "calls") calls += Number(count);
    else tokens += Number(count);
  }
  return { calls, tokens };
}

function absent(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "";
  throw error;
}
