import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { uptime } from "node:os";
import { promisify } from "node:util";

/**
 * Names the time since the machine was started: what was written but not yet fsynced survives the end of a process, but not the end of
 * a boot. Where the system has no such id, the minute of the start stands in; when that wavers, a store is only checked once too often.
 */
export async function readBootId(): Promise<string> {
  if (process.platform === "linux") {
    return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
  }
  if (process.platform === "darwin") {
    const { stdout } = await promisify(execFile)("sysctl", ["-n", "kern.bootsessionuuid"]);
    return stdout.trim();
  }
  return `started-${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
}
