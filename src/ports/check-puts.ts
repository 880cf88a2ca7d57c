import type { z } from "zod";
import { SlowwaveError } from "../model/errors.ts";
import { issueSchema } from "../model/issue-schema.ts";
import { memorySchema } from "../model/memory-schema.ts";
import { relationSchema } from "../model/relation.ts";
import { journalEntrySchema, outboxItemSchema, runSchema } from "../model/run.ts";
import { checkValue } from "./check-value.ts";
import type { RecordKind, RecordPut } from "./memory-store.ts";
import { recordKey } from "./store-rules.ts";

const SCHEMAS: Readonly<Record<RecordKind, z.ZodType>> = {
  memory: memorySchema,
  relation: relationSchema,
  issue: issueSchema,
  run: runSchema,
  journal: journalEntrySchema,
  outbox: outboxItemSchema,
};

/**
 * What a batch must be before a store looks at it: values of the model, images of one record each, no record twice.
 * @throws SlowwaveError `input`
 */
export function checkPuts(puts: readonly RecordPut[]): void {
  const seen = new Set<string>();
  for (const put of puts) {
    const key = recordKey(put.record, put.after);
    checkValue(SCHEMAS[put.record], put.after, `${put.record} ${put.after.id}`);
    if (put.before !== null && recordKey(put.record, put.before) !== key) {
      throw new SlowwaveError("input", `${key}: its before-image is of another record`);
    }
    if (seen.has(key)) throw new SlowwaveError("input", `${key} is put twice in one batch`);
    seen.add(key);
  }
}
