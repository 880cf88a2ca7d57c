/**
 * Loaded into a command by `node --import`: ends the process, as `kill -9` does, in place of its nth write (STOP_AT, counted from 0), and
 * writes the name of each write it comes to into a file (STOP_LOG). The product knows nothing of it.
 *
 * Writes are calls that change something outside the process: LanceDB's own before and after (the process ends inside no native call
 * here; random kills do that), files and folders made, renamed, removed, synced, and git commands that change a repository.
 */
import childProcess from "node:child_process";
import fs from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

const stopAt = Number(process.env.STOP_AT ?? Number.POSITIVE_INFINITY);
const log = process.env.STOP_LOG;
const { appendFileSync } = fs;
let writes = 0;
let last = "";

function reach(name) {
  // To a kill, unlike to a power cut, syncs one after the other are one: each leaves the same files behind.
  const isRepeated = name === "file.sync" && last === name;
  last = name;
  if (isRepeated) return;
  if (log) appendFileSync(log, `${name}\n`);
  if (writes === stopAt) {
    process.kill(process.pid, "SIGKILL");
    // The signal ends the process before this returns to JavaScript's own work; wait rather than go on.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
  }
  writes += 1;
}

function guard(object, method, name, { after = false, when = () => true } = {}) {
  const original = object[method];
  object[method] = function (...args) {
    if (!when(...args)) return original.apply(this, args);
    reach(name);
    const result = original.apply(this, args);
    if (!after) return result;
    return result.then((value) => {
      reach(`after ${name}`);
      return value;
    });
  };
}

async function install() {
  for (const method of [
    "writeFile",
    "rename",
    "rm",
    "mkdir",
    "rmdir",
    "unlink",
    "appendFile",
    "copyFile",
    "link",
  ]) {
    guard(fs.promises, method, `fs.${method}`);
  }
  const isWriting = (_path, flags = "r") => flags !== "r";
  guard(fs.promises, "open", "fs.open for writing", { when: isWriting });
  const handle = await fs.promises.open(process.execPath, "r");
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  for (const method of ["writeFile", "write", "sync"]) guard(prototype, method, `file.${method}`);

  const changesGit = (command, args = []) =>
    /git$/.test(command) && args.some((arg) => ["add", "commit", "rm", "push"].includes(arg));
  guard(childProcess, "spawn", "git", { when: changesGit });
  syncBuiltinESMExports();

  const require = createRequire(new URL("../../package.json", import.meta.url));
  const lancedb = require.resolve("@lancedb/lancedb");
  const { MergeInsertBuilder } = require(lancedb.replace(/index\.js$/, "merge.js"));
  guard(MergeInsertBuilder.prototype, "execute", "lance.mergeInsert", { after: true });
  const { LocalTable } = require(lancedb.replace(/index\.js$/, "table.js"));
  for (const method of ["delete", "update", "optimize", "createIndex", "dropIndex", "addColumns"]) {
    guard(LocalTable.prototype, method, `lance.${method}`, { after: true });
  }
}

if (isMainThread) await install();
