import { expect, test } from "vitest";
import type { ScheduledJob, ScheduleInstaller } from "../../src/ports/schedule-installer.ts";

/** A job whose every word needs the scheduler's own quoting. */
export function aJob(fields: Partial<ScheduledJob> = {}): ScheduledJob {
  return {
    node: "/opt/it's node/100%/node",
    script: '/opt/slow & <wave>/b"in\\slowwave.js',
    arguments: ["run", "--scheduled", "--namespace", "a b$HOME"],
    environment: { HOME: "/home/ada", PATH: "/opt/x y:/usr/bin", NOTE: "50% $5 'q' \"d\"" },
    logFile: "/home/ada/my logs/100%.log",
    hour: 4,
    minute: 7,
    ...fields,
  };
}

/** What every scheduler must do. `open` gives one of a user without jobs of ours. */
export function testScheduleInstaller(name: string, open: () => Promise<ScheduleInstaller>): void {
  test(`${name}: nothing is installed at first, and removing nothing changes nothing`, async () => {
    const installer = await open();
    expect(await installer.installed()).toBeUndefined();
    expect(await installer.uninstall()).toMatchObject({ changed: false });
  });

  test(`${name}: rendering writes nothing`, async () => {
    const installer = await open();
    const parts = installer.render(aJob());
    expect(parts.length).toBeGreaterThan(0);
    expect(await installer.installed()).toBeUndefined();
    expect(installer.render(aJob())).toEqual(parts);
  });

  test(`${name}: an installed job names its programs, and installing it again changes nothing`, async () => {
    const installer = await open();
    const places = installer.render(aJob()).map(({ place }) => place);
    expect(await installer.install(aJob())).toEqual({ changed: true, places });
    const { node, script } = aJob();
    expect(await installer.installed()).toEqual({ places, programs: [node, script] });
    expect(await installer.install(aJob())).toEqual({ changed: false, places });
  });

  test(`${name}: another job takes the place of the first`, async () => {
    const installer = await open();
    await installer.install(aJob());
    expect(await installer.install(aJob({ node: "/usr/bin/node" }))).toMatchObject({
      changed: true,
    });
    expect((await installer.installed())?.programs[0]).toBe("/usr/bin/node");
  });

  test(`${name}: a removed job is gone, and removing it again changes nothing`, async () => {
    const installer = await open();
    await installer.install(aJob());
    expect(await installer.uninstall()).toMatchObject({ changed: true });
    expect(await installer.installed()).toBeUndefined();
    expect(await installer.uninstall()).toMatchObject({ changed: false });
  });
}
