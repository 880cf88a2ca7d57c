/** What the rules make of two texts, neither of which holds the other. */
export interface PairVerdict {
  /** They contradict each other or speak of two things. */
  readonly areApart: boolean;
  /** As far as their words go, they may be merged unseen. */
  readonly isSafe: boolean;
  /** The surest contradiction between the two as written, 0 where there is none; NaN where nobody has asked yet. */
  readonly certainty: number;
}

/** Verdicts by the numbers of two readings, in whichever order, as columns: a large store has millions. */
export interface PairVerdicts {
  find(a: number, b: number): PairVerdict | undefined;
  put(a: number, b: number, verdict: PairVerdict): void;
  /** Those that were asked for or put in this run. */
  used(): Iterable<readonly [a: number, b: number, verdict: PairVerdict]>;
  /** How many are there, asked for or not. */
  readonly size: number;
}

const FLAG = { taken: 1, apart: 2, safe: 4, used: 8 } as const;
const START = 1024;

/** A hash table with open addressing: nothing of it is an object, so a garbage collector has nothing to follow. */
export function createPairVerdicts(
  known: Iterable<readonly [a: number, b: number, verdict: PairVerdict]> = [],
): PairVerdicts {
  let table = emptyTable(START);
  let size = 0;
  const grow = (): void => {
    const old = table;
    table = emptyTable(old.flags.length * 2);
    for (const [slot, flags] of old.flags.entries()) {
      if (flags === 0) continue;
      const [a = 0, b = 0] = [old.first[slot], old.second[slot]];
      write(slotOf(table, a, b), { a, b, flags, certainty: old.certainty[slot] ?? 0 });
    }
  };
  const write = (
    slot: number,
    row: { readonly a: number; readonly b: number; readonly flags: number; certainty: number },
  ): void => {
    table.first[slot] = row.a;
    table.second[slot] = row.b;
    table.flags[slot] = row.flags;
    table.certainty[slot] = row.certainty;
  };
  const put = (a: number, b: number, verdict: PairVerdict, used: number): void => {
    if (size * 2 >= table.flags.length) grow();
    const [low, high] = a < b ? [a, b] : [b, a];
    const slot = slotOf(table, low, high);
    if (table.flags[slot] === 0) size += 1;
    const { areApart, isSafe, certainty } = verdict;
    const flags = FLAG.taken | used | (areApart ? FLAG.apart : 0) | (isSafe ? FLAG.safe : 0);
    write(slot, { a: low, b: high, flags, certainty });
  };
  for (const [a, b, verdict] of known) put(a, b, verdict, 0);
  return {
    get size() {
      return size;
    },
    find: (a, b) => {
      const slot = a < b ? slotOf(table, a, b) : slotOf(table, b, a);
      const flags = table.flags[slot] ?? 0;
      if (flags === 0) return undefined;
      table.flags[slot] = flags | FLAG.used;
      return verdictAt(table, slot);
    },
    put: (a, b, verdict) => put(a, b, verdict, FLAG.used),
    used: function* () {
      for (const [slot, flags] of table.flags.entries()) {
        if ((flags & FLAG.used) === 0) continue;
        yield [table.first[slot] ?? 0, table.second[slot] ?? 0, verdictAt(table, slot)] as const;
      }
    },
  };
}

interface Table {
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  readonly flags: Uint8Array;
  readonly certainty: Float64Array;
}

/** `capacity` is a power of two. */
function emptyTable(capacity: number): Table {
  return {
    first: new Uint32Array(capacity),
    second: new Uint32Array(capacity),
    flags: new Uint8Array(capacity),
    certainty: new Float64Array(capacity),
  };
}

/** Where the pair is, or where it is to be put. */
function slotOf({ first, second, flags }: Table, low: number, high: number): number {
  const mask = flags.length - 1;
  let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  let slot = (hash ^ (hash >>> 13)) & mask;
  while (flags[slot] !== 0 && (first[slot] !== low || second[slot] !== high)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

function verdictAt({ flags, certainty }: Table, slot: number): PairVerdict {
  const flag = flags[slot] ?? 0;
  return {
    areApart: (flag & FLAG.apart) !== 0,
    isSafe: (flag & FLAG.safe) !== 0,
    certainty: certainty[slot] ?? 0,
  };
}
