/**
 * A number from 0 to 1 out of an unguessable name, for waits that two processes must not share. Names come from the `System` port, so
 * that tests know them.
 */
export function jitterOf(token: string): number {
  return Number.parseInt(token.replace(/[^0-9a-f]/g, "").slice(0, 4), 16) / 0xffff;
}
