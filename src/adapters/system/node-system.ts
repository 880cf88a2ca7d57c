import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { System } from "../../ports/system.ts";

/** The machine that this process runs on. */
export function createNodeSystem(): System {
  const boot = readBootId();
  const label = [hostname(), boot, process.pid, readStartTime(process.pid) ?? "?"].join("|");
  return {
    wallNow: () => Date.now(),
    monotonicMs: () => performance.now(),
    sleep: async (ms, signal) => {
      await wait(ms, undefined, { signal });
    },
    randomToken: () => randomUUID(),
    processLabel: label,
    isAlive: (other) => isAlive(other, boot),
  };
}

function isAlive(label: string, boot: string): "alive" | "dead" | "unknown" {
  const [host, otherBoot, pidText, startTime] = label.split("|");
  const pid = Number(pidText);
  if (host !== hostname() || !Number.isInteger(pid) || pid <= 0) return "unknown";
  if (boot !== UNKNOWN && otherBoot !== UNKNOWN && otherBoot !== boot) return "dead";
  if (!processExists(pid)) return "dead";
  // A process id is reused sooner or later: another start time is another process.
  const started = readStartTime(pid);
  return started !== undefined && startTime !== "?" && started !== startTime ? "dead" : "alive";
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to someone else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

const UNKNOWN = "?";

function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    // Only Linux has it; elsewhere pid and start time have to do.
    return UNKNOWN;
  }
}

/** Field 22 of /proc/<pid>/stat, counted after the parenthesised name, which may hold spaces. */
function readStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .at(19);
  } catch {
    // No /proc here, or the process has just ended: the caller treats it as unknown.
    return undefined;
  }
}
