import path from "node:path";
import { SlowwaveError } from "../../model/errors.ts";
import type { ScheduledJob } from "../../ports/schedule-installer.ts";

/** A night that finds nothing prints nothing, so this is years of nights; the file before it is kept as `.1`. */
const LOG_BYTES = 1_048_576;

/**
 * The job as one line for `/bin/sh`: environment, a log that is put aside when it has grown, and the run in the shell's place, so that
 * signals reach it.
 */
export function shellLine(job: ScheduledJob): string {
  const variables = Object.entries(job.environment).map(
    ([name, value]) => `${name}=${quote(value)}`,
  );
  const log = quote(job.logFile);
  const command = [job.node, job.script, ...job.arguments].map(quote).join(" ");
  const line = [
    `export ${variables.join(" ")}`,
    `mkdir -p ${quote(path.dirname(job.logFile))}`,
    `[ -f ${log} ] && [ $(wc -c <${log}) -gt ${LOG_BYTES} ] && mv -f ${log} ${quote(`${job.logFile}.1`)}`,
    `exec ${command} >>${log} 2>&1`,
  ].join("; ");
  if (!/[\n\r\0]/.test(line)) return line;
  throw new SlowwaveError("schedule", "a path or setting of the job holds a line break", {
    hint: "A scheduler takes one line: rename the folder, or change the setting.",
  });
}

/** The interpreter and the script that a line made above starts. */
export function programsOf(line: string): readonly string[] {
  const command = line.slice(line.lastIndexOf("; exec ") + "; exec ".length);
  return [...command.matchAll(WORD)].slice(0, 2).map(([word]) => unquote(word));
}

const WORD = /(?:'[^']*'|\\.|[^\s'\\])+/g;

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function unquote(word: string): string {
  return word.replace(
    /'([^']*)'|\\(.)/g,
    (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? "",
  );
}
