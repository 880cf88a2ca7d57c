import { SlowwaveError } from "../../model/errors.ts";
import { DAY_MS, type Instant } from "../../model/instant.ts";

const QUARTER_MS = 15 * 60_000;

/**
 * What a zone's local clock is ahead of UTC, milliseconds. Asking the system takes 50 µs, so days without a change are remembered whole.
 * @throws SlowwaveError `usage` for a zone that the system does not know
 */
export function createZoneOffsets(timeZone: string): (at: Instant) => number {
  const format = createFormat(timeZone);
  const ask = (at: Instant): number => {
    const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes] = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? [];
    if (sign === undefined) return 0;
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  };
  let known = { from: 0, to: 0, offset: 0 };
  return (at) => {
    if (at >= known.from && at < known.to) return known.offset;
    const day = Math.floor(at / DAY_MS) * DAY_MS;
    const isSteady = ask(day) === ask(day + DAY_MS);
    // Clocks change on the quarter of an hour.
    const span = isSteady ? DAY_MS : QUARTER_MS;
    const from = Math.floor(at / span) * span;
    known = { from, to: from + span, offset: ask(from) };
    return known.offset;
  };
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch (cause) {
    throw new SlowwaveError("usage", `expected a time zone, got ${JSON.stringify(timeZone)}`, {
      cause,
      hint: "Use a name of the IANA list, for example Europe/Berlin or UTC.",
    });
  }
}
