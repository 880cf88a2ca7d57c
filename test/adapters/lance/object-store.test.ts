import { expect, test } from "vitest";
import type { SlowwaveError } from "../../../src/model/errors.ts";
import { aMemory } from "../../builders.ts";
import { startS3Server } from "./s3-server.ts";
import { openStore } from "./temp-store.ts";

test("a server that overlooks conditional puts is refused, and no store is made there", async () => {
  const { uri, storageOptions } = await startS3Server({ conditionalPut: false });
  const refusal: SlowwaveError = await openStore({ uri, storageOptions }).then(
    () => expect.unreachable("it was opened"),
    (error) => error,
  );
  expect(refusal).toMatchObject({
    code: "store_unavailable",
    message: expect.stringMatching(/no conditional put/),
    hint: expect.stringMatching(/If-None-Match/),
  });
  await expect(openStore({ uri, storageOptions, mode: "read" })).rejects.toThrow(/no store in/);
});

test("conditional put is proven once in a place", async () => {
  const { uri, storageOptions, refusals } = await startS3Server({ conditionalPut: true });
  const store = await openStore({ uri, storageOptions });
  const afterProof = refusals();
  expect(afterProof).toBeGreaterThan(0);
  await openStore({ uri, storageOptions });
  expect(refusals()).toBe(afterProof);
  expect(await store.commit([{ record: "memory", before: null, after: aMemory() }])).toMatchObject({
    ok: true,
  });
});
