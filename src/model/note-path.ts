import { SlowwaveError } from "./errors.ts";

/**
 * The segments of a note's path: relative to the vault, `/` between folders, no segment empty, hidden (a leading dot), `.` or `..`.
 * A back slash separates folders on Windows, so it may not stand in a path either.
 * @throws SlowwaveError `vault` for any other path.
 */
export function notePathSegments(path: string): readonly string[] {
  const segments = path.split("/");
  const isSafe = segments.every(
    (segment) => segment !== "" && !segment.startsWith(".") && !/[\\\0]|^[a-z]:/i.test(segment),
  );
  if (isSafe) return segments;
  throw new SlowwaveError(
    "vault",
    `vault: expected a path inside the vault, got ${JSON.stringify(path)}`,
    {
      hint: "A note's path is relative, with / between folders, and has no hidden or empty part.",
    },
  );
}
