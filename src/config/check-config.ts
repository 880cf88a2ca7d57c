import type { Completed, Layered } from "./complete-config.ts";
import { configFileSchema } from "./config.ts";
import { describeIssues } from "./describe-issues.ts";

/** Has the schema judge. */
export function checkConfig({ raw, origins }: Layered): Completed {
  const parsed = configFileSchema.safeParse(raw);
  if (parsed.success) return { config: parsed.data, problems: [] };
  return { problems: describeIssues({ issues: parsed.error.issues, raw, origins }) };
}
