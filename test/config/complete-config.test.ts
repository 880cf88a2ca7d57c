import { expect, test } from "vitest";
import { checkConfig } from "../../src/config/check-config.ts";
import { completeConfig } from "../../src/config/complete-config.ts";

const origins = new Map<string, string>();

test.each([
  { store: "/data" },
  { store: "/data", vault: "/notes" },
  { store: "s3://bucket/store", vault: "/notes", namespace: "work" },
  { store: "x".repeat(128), namespace: "n".repeat(128) },
])("places alone make the configuration that the schema makes of them: %j", async (raw) => {
  const completed = await completeConfig({ raw, origins });
  // As text, since `slowwave config` prints the keys in their order.
  expect(JSON.stringify(completed)).toBe(JSON.stringify(checkConfig({ raw, origins })));
});

test.each([
  { store: "" },
  { store: "/data", vault: "" },
  { store: "/data", namespace: "n".repeat(129) },
  { store: "/data", throttle: 0 },
  { store: "/data", nothing: 1 },
])("what the schema refuses is refused: %j", async (raw) => {
  const { config, problems } = await completeConfig({ raw, origins });
  expect(config).toBeUndefined();
  expect(problems).toHaveLength(1);
});
