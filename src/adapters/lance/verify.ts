import { findDamage } from "./find-damage.ts";
import type { Handle } from "./handle.ts";
import { RECORDS, USES } from "./schema.ts";

/** What of a local store cannot be read, in words. An object store checks its own objects. */
export async function verifyStore({ engine, folder }: Handle): Promise<readonly string[]> {
  if (folder === undefined) return [];
  const problems: string[] = [];
  for (const name of [RECORDS, USES]) {
    const damage = await findDamage(engine, folder, name);
    if (damage === undefined) continue;
    const what = damage.kind === "index" ? `the index of table ${name}` : `table ${name}`;
    const cause = damage.cause instanceof Error ? damage.cause.message : String(damage.cause);
    problems.push(`${what} cannot be read: ${cause.split("\n")[0]?.slice(0, 200)}`);
  }
  return problems;
}
