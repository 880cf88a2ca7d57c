import { z } from "zod";
import { type Instant, MAX_INSTANT, MIN_INSTANT } from "./instant.ts";

export const instantSchema: z.ZodType<Instant> = z.int().min(MIN_INSTANT).max(MAX_INSTANT);
