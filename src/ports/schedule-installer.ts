export const SCHEDULER_KINDS = ["cron", "launchd", "systemd"] as const;
export type SchedulerKind = (typeof SCHEDULER_KINDS)[number];

/** What a scheduler of the machine is to start. Everything is absolute: a scheduler knows neither shell profile nor working folder. */
export interface ScheduledJob {
  readonly node: string;
  readonly script: string;
  readonly arguments: readonly string[];
  /** All that the job gets to see. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where output goes, for schedulers that keep no log themselves. */
  readonly logFile: string;
  readonly minute: number;
  /** Local time of the machine. Absent: every hour. */
  readonly hour?: number;
}

/** One file, or the block of a crontab. */
export interface SchedulePart {
  readonly place: string;
  readonly text: string;
}

export interface InstalledSchedule {
  readonly places: readonly string[];
  /** The interpreter and the script that it starts. */
  readonly programs: readonly string[];
}

export interface ScheduleChange {
  readonly changed: boolean;
  readonly places: readonly string[];
}

/**
 * A scheduler of the machine, for one job of ours. Every installed job is also looked at when the machine or the session starts; whether a
 * run is due is for the run to decide. Failures are `SlowwaveError("schedule")`. Must never touch what is not ours.
 */
export interface ScheduleInstaller {
  readonly kind: SchedulerKind;
  /** What `install` would write. Pure. */
  render(job: ScheduledJob): readonly SchedulePart[];
  /** Puts the job in the place of an earlier one. `changed: false`: it stood there exactly so already. */
  install(job: ScheduledJob): Promise<ScheduleChange>;
  /** `changed: false`: there was none. */
  uninstall(): Promise<ScheduleChange>;
  installed(): Promise<InstalledSchedule | undefined>;
}
