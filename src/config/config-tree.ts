import { z } from "zod";
import { configFileSchema } from "./config.ts";
import type { SchemaNode } from "./schema-tree.ts";

/** Derived from the schema that judges, so that names and expectations in messages cannot drift from it. */
export function configTree(): SchemaNode {
  // toJSONSchema's own type allows far more than this schema holds.
  return z.toJSONSchema(configFileSchema, { io: "input" }) as SchemaNode;
}
