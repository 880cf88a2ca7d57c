import { execFile } from "node:child_process";
import { access, constants, statfs } from "node:fs/promises";
import { promisify } from "node:util";

export type ProbeResult =
  | { readonly kind: "fine" }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "silent"; readonly afterMs: number };

/**
 * Writes, syncs, reads back and removes a file in a folder. In a process of its own: a file access that macOS keeps waiting for a
 * permission, or a network drive that is gone, blocks the process that asks, for good.
 */
export async function probeFolder(folder: string, timeoutMs: number): Promise<ProbeResult> {
  return await probeWith(PROBE, folder, timeoutMs);
}

/** The same with another script, so that one that hangs can be tested. */
export async function probeWith(
  script: string,
  folder: string,
  timeoutMs: number,
): Promise<ProbeResult> {
  const child = execFile(process.execPath, ["-e", script, folder], { env: {} });
  const output: string[] = [];
  child.stdout?.on("data", (text: string) => output.push(text));
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // Blocked in the kernel it may not even die; it must not keep us.
      child.kill("SIGKILL");
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      resolve({ kind: "silent", afterMs: timeoutMs });
    }, timeoutMs);
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(timer);
      const [code = "", ...rest] = output.join("").split("\n");
      if (code === "fine") resolve({ kind: "fine" });
      else resolve({ kind: "failed", code, message: rest.join("\n").trim() || "it ended early" });
    });
  });
}

const PROBE = `
const fs = require("node:fs");
const path = require("node:path");
const file = path.join(process.argv[1], ".slowwave-probe-" + process.pid);
try {
  const open = fs.openSync(file, "wx+");
  try {
    fs.writeSync(open, "probe");
    fs.fsyncSync(open);
    if (fs.readFileSync(file, "utf8") !== "probe") throw new Error("what was written reads differently");
  } finally {
    fs.closeSync(open);
    fs.rmSync(file);
  }
  fs.readdirSync(process.argv[1]);
  process.stdout.write("fine");
} catch (error) {
  process.stdout.write((error.code || "ERROR") + "\\n" + error.message);
}
`;

/** Bytes that this user may still write there. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Whom git would commit for in a folder; `undefined` where it does not know, or is not installed. */
export async function gitIdentity(folder: string): Promise<string | undefined> {
  const read = async (key: string) => {
    try {
      const { stdout } = await promisify(execFile)("git", ["-C", folder, "config", "--get", key]);
      return stdout.trim();
    } catch {
      // Unset, or no git: whether that matters is judged by the state of the repository.
      return "";
    }
  };
  const [name, email] = [await read("user.name"), await read("user.email")];
  return name !== "" && email !== "" ? `${name} <${email}>` : undefined;
}

export async function isExecutable(file: string): Promise<boolean> {
  return await isAccessible(file, constants.X_OK);
}

export async function isReadable(file: string): Promise<boolean> {
  return await isAccessible(file, constants.R_OK);
}

async function isAccessible(file: string, mode: number): Promise<boolean> {
  return access(file, mode).then(
    () => true,
    () => false,
  );
}
