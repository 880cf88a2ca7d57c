import { expect, test } from "vitest";
import { createTimetable } from "../../src/adapters/system-schedulers/create-timetable.ts";
import { type Attempt, type DaemonStatus, runDaemon } from "../../src/api/run-daemon.ts";
import { DAY_MS, HOUR_MS, type Instant, toIso } from "../../src/model/instant.ts";
import { createFixedSystem } from "../scheduler/fixed-system.ts";

interface World {
  readonly start: string;
  readonly until: string;
  readonly cron?: string;
  readonly zone?: string;
  /** Completed runs that the store has at first. */
  readonly earlier?: readonly string[];
  /** How the n-th attempt that is due ends. @default completed */
  readonly outcome?: (attempt: number) => Attempt["kind"];
  /** Called before each wait, with ways to change the world. */
  readonly meanwhile?: (world: {
    now: Instant;
    completed: Instant[];
    advance(ms: number): void;
  }) => void;
}

/** Lets a daemon live on a clock that moves by its own waiting, and tells when it ran. */
async function live(world: World) {
  const {
    start,
    until,
    cron = "17 4 * * *",
    zone = "Europe/Berlin",
    outcome = () => "completed",
  } = world;
  const system = createFixedSystem(Date.parse(start));
  const stop = new AbortController();
  const completed = (world.earlier ?? []).map((time) => Date.parse(time));
  const attempts: string[] = [];
  const statuses: DaemonStatus[] = [];
  await runDaemon(
    {
      timetable: createTimetable(cron, zone),
      system: {
        ...system,
        sleep: async (ms, signal) => {
          world.meanwhile?.({ now: system.wallNow(), completed, advance: system.advance });
          await system.sleep(ms, signal);
          if (system.wallNow() >= Date.parse(until)) stop.abort();
        },
      },
      attempt: async (isDue) => {
        const past = completed.filter((run) => run <= system.wallNow());
        const last = past.length === 0 ? undefined : Math.max(...past);
        if (last !== undefined && !isDue(last)) return { kind: "not_due", last };
        attempts.push(toIso(system.wallNow()).slice(0, 16));
        const kind = outcome(attempts.length);
        if (kind === "completed") completed.push(system.wallNow());
        return kind === "not_due" ? { kind, last: 0 } : { kind, detail: `run ${attempts.length}` };
      },
      tell: async (status) => void statuses.push(status),
    },
    stop.signal,
  );
  return { attempts, statuses };
}

test("a daemon runs once a night at the local time, through both changes of the clock", async () => {
  const spring = await live({
    start: "2026-03-27T12:00Z",
    until: "2026-03-31T00:00Z",
    cron: "30 2 * * *",
    earlier: ["2026-03-27T01:30Z"],
  });
  expect(spring.attempts).toEqual([
    ...["2026-03-28T01:30", "2026-03-29T01:00", "2026-03-30T00:30"],
  ]);
  const autumn = await live({
    start: "2026-10-24T12:00Z",
    until: "2026-10-26T12:00Z",
    cron: "30 2 * * *",
    earlier: ["2026-10-24T00:30Z"],
  });
  expect(autumn.attempts).toEqual(["2026-10-25T00:30", "2026-10-26T01:30"]);
});

test("a daemon makes up at its start for a night that was missed, once", async () => {
  const { attempts } = await live({
    start: "2026-06-10T12:00Z",
    until: "2026-06-11T12:00Z",
    earlier: ["2026-06-07T02:17Z"],
  });
  expect(attempts).toEqual(["2026-06-10T12:00", "2026-06-11T02:17"]);
});

test("a daemon that starts between two nights waits for the next", async () => {
  const { attempts, statuses } = await live({
    start: "2026-06-10T12:00Z",
    until: "2026-06-10T13:00Z",
    earlier: ["2026-06-10T02:17Z"],
  });
  expect(attempts).toEqual([]);
  expect(statuses[1]).toMatchObject({
    state: "waiting",
    nextAt: Date.parse("2026-06-11T02:17Z"),
    last: { kind: "not_due" },
  });
  expect(statuses.at(-1)?.state).toBe("stopped");
});

test("a daemon on a store without a run runs at once", async () => {
  const { attempts } = await live({ start: "2026-06-10T12:00Z", until: "2026-06-10T13:00Z" });
  expect(attempts).toEqual(["2026-06-10T12:00"]);
});

test("a night that another process has served is left out", async () => {
  const { attempts } = await live({
    start: "2026-06-10T12:00Z",
    until: "2026-06-12T12:00Z",
    earlier: ["2026-06-10T02:17Z"],
    meanwhile: ({ now, completed }) => {
      const other = Date.parse("2026-06-11T02:17Z");
      if (now >= other - 60_000 && !completed.includes(other)) completed.push(other);
    },
  });
  expect(attempts).toEqual(["2026-06-12T02:17"]);
});

test("a failed night is tried again after an hour, never in a loop", async () => {
  const { attempts } = await live({
    start: "2026-06-10T12:00Z",
    until: "2026-06-11T12:00Z",
    earlier: ["2026-06-10T02:17Z"],
    outcome: (attempt) => (attempt < 3 ? "failed" : "completed"),
  });
  expect(attempts).toEqual(["2026-06-11T02:17", "2026-06-11T03:17", "2026-06-11T04:17"]);
});

test("a machine that sleeps through the night runs once when it wakes", async () => {
  let hasSlept = false;
  const { attempts } = await live({
    start: "2026-06-10T12:00Z",
    until: "2026-06-13T12:00Z",
    earlier: ["2026-06-10T02:17Z"],
    meanwhile: ({ now, advance }) => {
      if (hasSlept || now < Date.parse("2026-06-10T20:00Z")) return;
      hasSlept = true;
      advance(36 * HOUR_MS);
    },
  });
  expect(attempts).toEqual(["2026-06-12T08:01", "2026-06-13T02:17"]);
});

test("a clock that is set back does not put off the next night by as much", async () => {
  let isSetBack = false;
  const { attempts } = await live({
    start: "2026-06-10T12:00Z",
    until: "2026-06-11T12:00Z",
    earlier: ["2026-06-01T02:17Z"],
    meanwhile: ({ advance }) => {
      if (isSetBack) return;
      isSetBack = true;
      advance(-5 * DAY_MS);
    },
  });
  // The run of the wrong day lies in the future then, and says nothing.
  expect(attempts.slice(0, 3)).toEqual([
    ...["2026-06-10T12:00", "2026-06-05T12:01", "2026-06-06T02:17"],
  ]);
});

test("a daemon stops at once when it is told to while it waits", async () => {
  const stop = new AbortController();
  const states: string[] = [];
  const system = createFixedSystem();
  await runDaemon(
    {
      timetable: createTimetable("0 4 * * *", "UTC"),
      system: {
        ...system,
        sleep: async () => {
          stop.abort(new Error("stopped"));
          throw stop.signal.reason;
        },
      },
      attempt: async () => ({ kind: "completed", detail: "" }),
      tell: async ({ state }) => void states.push(state),
    },
    stop.signal,
  );
  expect(states).toEqual(["running", "waiting", "stopped"]);
});
