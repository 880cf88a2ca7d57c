import { z } from "zod";
import type { JsonObject, JsonValue } from "./json.ts";

export const jsonValueSchema: z.ZodType<JsonValue> = z.json();
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonValueSchema);
