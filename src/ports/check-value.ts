import type { z } from "zod";
import { SlowwaveError } from "../model/errors.ts";
import { isUse, type Use } from "../model/use.ts";
import { fitsQuickly } from "./fits-quickly.ts";

/** @throws SlowwaveError `input` */
export async function checkUses(uses: readonly Use[]): Promise<void> {
  if (uses.every(isUse)) return;
  const { useSchema } = await import("../model/use-schema.ts");
  for (const use of uses) checkValue(useSchema, use, `use ${use.id}`);
}

/** @throws SlowwaveError `input` naming the value and every problem */
export function checkValue(schema: z.ZodType, value: unknown, what: string): void {
  if (fitsQuickly(schema, value)) return;
  const result = schema.safeParse(value);
  if (result.success) return;
  const problems = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new SlowwaveError("input", `${what} does not fit the model: ${problems.join("; ")}`, {
    cause: result.error,
  });
}
