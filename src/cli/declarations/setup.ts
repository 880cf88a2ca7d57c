import type { Declaring } from "../build-program.ts";

export function declareSetupCommands({ program, perform }: Declaring): void {
  program
    .command("init")
    .description("make the store, and the vault folder where one is configured")
    .action(() => perform(async (context) => (await import("../commands/init.ts")).init(context)));

  program
    .command("config")
    .description("print the effective configuration: file, environment and flags together")
    .action(() =>
      perform(async (context) => (await import("../commands/config.ts")).showConfig(context)),
    );

  program
    .command("stats")
    .description("count memories, relations and issues")
    .action(() =>
      perform(async (context) => (await import("../commands/stats.ts")).showStats(context)),
    );

  program
    .command("doctor")
    .description("check everything that a nightly run depends on, each finding with its fix")
    .option("--as-scheduler", "check in a scheduler's bare environment, folder and terminal")
    .option("--repair", "set aside what of the store cannot be read, and finish interrupted work")
    .action((flags: { readonly asScheduler?: true; readonly repair?: true }) =>
      perform(async (context) => (await import("../commands/doctor.ts")).doctor(context, flags)),
    );

  program
    .command("demo")
    .description("the whole pipeline on a throw-away store with bundled memories")
    .option("--dir <dir>", "keep the store there instead of in a temporary folder")
    .addHelpText("after", "\nThe global flag --vault says where its notes go.")
    .action((flags: { readonly dir?: string }) =>
      perform(async (context) => (await import("../commands/demo.ts")).demo(context, flags)),
    );
}
