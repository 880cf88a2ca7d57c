import type { Completed, Layered } from "./complete-config.ts";
import { configFileSchema } from "./config.ts";
import { describeIssues } from "./describe-issues.ts";

/** Has the schema judge. */
export function checkConfig({ raw, origins }: Layered): Completed {
  // Judged once a process: zod would compile the schema for later uses, which takes longer than the use itself.
  const parsed = configFileSchema.safeParse(raw, { jitless: true });
  if (parsed.success) return { config: parsed.data, problems: [] };
  return { problems: describeIssues({ issues: parsed.error.issues, raw, origins }) };
}
