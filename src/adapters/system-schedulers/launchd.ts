import { rm } from "node:fs/promises";
import path from "node:path";
import type { ScheduledJob, ScheduleInstaller } from "../../ports/schedule-installer.ts";
import type { RunCommand } from "./run-command.ts";
import { scheduleError } from "./schedule-error.ts";
import { readIfThere, writeParts } from "./schedule-files.ts";
import { programsOf, shellLine } from "./shell-line.ts";

const LABEL = "slowwave.nightly";

/** An agent of the user's own launchd, through the `launchctl` command. */
export function createLaunchd(
  run: RunCommand,
  { homeFolder, userId }: { readonly homeFolder: string; readonly userId: number },
): ScheduleInstaller {
  const file = path.join(homeFolder, "Library/LaunchAgents", `${LABEL}.plist`);
  const domain = `gui/${userId}`;
  const service = `${domain}/${LABEL}`;
  const isLoaded = async () => {
    const answer = await run("launchctl", ["print", service]);
    if (answer.exitCode === undefined) throw scheduleError("launchctl", answer, HINT);
    return answer.exitCode === 0;
  };
  const unload = async () => {
    if (!(await isLoaded())) return;
    const answer = await run("launchctl", ["bootout", service]);
    if (answer.exitCode !== 0) throw scheduleError("launchctl bootout", answer, HINT);
  };
  return {
    kind: "launchd",
    render: (job) => [{ place: file, text: plist(job) }],
    install: async (job) =>
      await writeParts([{ place: file, text: plist(job) }], async ({ changed }) => {
        if (!changed && (await isLoaded())) return;
        await unload();
        const answer = await run("launchctl", ["bootstrap", domain, file]);
        if (answer.exitCode !== 0) throw scheduleError("launchctl bootstrap", answer, HINT);
      }),
    uninstall: async () => {
      if ((await readIfThere(file)) === undefined) return { changed: false, places: [file] };
      await unload();
      await rm(file, { force: true });
      return { changed: true, places: [file] };
    },
    installed: async () => {
      const text = await readIfThere(file);
      if (text === undefined) return undefined;
      const line = /<string>([^<]*; exec [^<]*)<\/string>/.exec(text)?.[1] ?? "";
      return { places: [file], programs: programsOf(unescapeXml(line)) };
    },
  };
}

const HINT = "launchd is part of macOS, and its agents need a user who is logged in at the screen.";

function plist(job: ScheduledJob): string {
  const calendar = [
    ...(job.hour === undefined ? [] : [`    <key>Hour</key>\n    <integer>${job.hour}</integer>`]),
    `    <key>Minute</key>\n    <integer>${job.minute}</integer>`,
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
    <string>/bin/sh</string>
    <string>-c</string>
    <string>${escapeXml(shellLine(job))}</string>
  </array>
  <key>StartCalendarInterval</key>
  <dict>
${calendar.join("\n")}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function unescapeXml(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
