import type { Io } from "./io.ts";

/** `person:<name>`: who is named, else who is logged in. */
export function personOf({ env }: Pick<Io, "env">, by: string | undefined): string {
  const name = by ?? env.USER ?? env.USERNAME ?? "unknown";
  return name.includes(":") ? name : `person:${name}`;
}
