import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { createNodeSystem } from "../../../src/adapters/system/node-system.ts";

test("a system knows its own process as alive", () => {
  const system = createNodeSystem();
  expect(system.isAlive(system.processLabel)).toBe("alive");
});

test("a process that has ended is dead", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  const system = createNodeSystem();
  const [host, boot] = system.processLabel.split("|");
  expect(system.isAlive([host, boot, child.pid, "1"].join("|"))).toBe("dead");
});

test("a living process id with another start time is another process, so the holder is dead", () => {
  const system = createNodeSystem();
  const [host, boot, pid, start] = system.processLabel.split("|");
  expect(start).toMatch(/^\d+$/);
  expect(system.isAlive([host, boot, pid, "1"].join("|"))).toBe("dead");
});

test("a process of another boot is dead and one of another host is unknown", () => {
  const system = createNodeSystem();
  const [host, , pid, start] = system.processLabel.split("|");
  expect(system.isAlive([host, "other-boot", pid, start].join("|"))).toBe("dead");
  expect(system.isAlive(["elsewhere", "other-boot", pid, start].join("|"))).toBe("unknown");
});
