import { rm } from "node:fs/promises";
import path from "node:path";
import type {
  ScheduledJob,
  ScheduleInstaller,
  SchedulePart,
} from "../../ports/schedule-installer.ts";
import type { RunCommand } from "./run-command.ts";
import { scheduleError } from "./schedule-error.ts";
import { readIfThere, writeParts } from "./schedule-files.ts";

const TIMER = "slowwave.timer";
const SERVICE = "slowwave.service";

/** A timer of the user's own systemd, through the `systemctl` command. `configFolder` is $XDG_CONFIG_HOME or ~/.config. */
export function createSystemd(
  run: RunCommand,
  { configFolder }: { readonly configFolder: string },
): ScheduleInstaller {
  const folder = path.join(configFolder, "systemd/user");
  const service = path.join(folder, SERVICE);
  const timer = path.join(folder, TIMER);
  const systemctl = async (...args: readonly string[]) => {
    const answer = await run("systemctl", ["--user", ...args]);
    if (answer.exitCode !== 0) throw scheduleError(`systemctl --user ${args[0]}`, answer, HINT);
  };
  const render = (job: ScheduledJob): readonly SchedulePart[] => [
    { place: service, text: serviceUnit(job) },
    { place: timer, text: timerUnit(job) },
  ];
  return {
    kind: "systemd",
    render,
    install: async (job) =>
      await writeParts(render(job), async ({ changed }) => {
        if (changed) await systemctl("daemon-reload");
        await systemctl("enable", "--now", TIMER);
        // A timer that runs already keeps its old times until it is started anew.
        if (changed) await systemctl("restart", TIMER);
      }),
    uninstall: async () => {
      const places = [service, timer];
      const texts = await Promise.all(places.map(readIfThere));
      if (texts.every((text) => text === undefined)) return { changed: false, places };
      if (texts[1] !== undefined) await systemctl("disable", "--now", TIMER);
      await Promise.all(places.map((place) => rm(place, { force: true })));
      await systemctl("daemon-reload");
      return { changed: true, places };
    },
    installed: async () => {
      const text = await readIfThere(service);
      if (text === undefined || (await readIfThere(timer)) === undefined) return undefined;
      const command = /^ExecStart=:(.*)$/m.exec(text)?.[1] ?? "";
      const words = [...command.matchAll(/"((?:[^"\\]|\\.)*)"/g)];
      return {
        places: [service, timer],
        programs: words.slice(0, 2).map(([, word = ""]) => unquote(word)),
      };
    },
  };
}

const HINT =
  "systemd's user manager must be running: log in as this user, or `loginctl enable-linger`; without it use --cron.";

/** Exit code 3 says that another run holds the lease: nothing is wrong. Output goes to the journal, which rotates itself. */
function serviceUnit(job: ScheduledJob): string {
  const command = [job.node, job.script, ...job.arguments].map(quote).join(" ");
  const variables = Object.entries(job.environment).map(
    ([name, value]) => `Environment=${quote(`${name}=${value}`)}`,
  );
  return `[Unit]
Description=slowwave: consolidate memories

[Service]
Type=oneshot
${variables.join("\n")}
ExecStart=:${command}
SuccessExitStatus=3
Nice=10
`;
}

/** `Persistent` makes up for a time at which the machine was off. */
function timerUnit(job: ScheduledJob): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `[Unit]
Description=slowwave: when to consolidate memories

[Timer]
OnCalendar=*-*-* ${job.hour === undefined ? "*" : two(job.hour)}:${two(job.minute)}:00
OnStartupSec=2min
Persistent=true

[Install]
WantedBy=timers.target
`;
}

/** `%` starts a specifier everywhere; `$` means nothing here, since the `:` of ExecStart turns variables off. */
function quote(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%");
  return `"${escaped.replaceAll("\n", "\\n")}"`;
}

function unquote(word: string): string {
  return word
    .replaceAll("%%", "%")
    .replace(/\\(.)/g, (_, letter: string) => (letter === "n" ? "\n" : letter));
}
