import type { Declaring } from "../build-program.ts";
import type { ExportFlags } from "../commands/export.ts";
import type { ImportFlags } from "../commands/import.ts";

export function declareTransferCommands({ program, perform }: Declaring): void {
  program
    .command("import")
    .description("read memories from a file or folder")
    .argument("<path>", "file or folder, or - for standard input")
    .option("--from <format>", "its format; recognised where not given")
    .action((path: string, flags: ImportFlags) =>
      perform(async (context) =>
        (await import("../commands/import.ts")).importPath(context, path, flags),
      ),
    );

  program
    .command("export")
    .description("write memories, relations and uses")
    .option("--format <format>", "the format to write")
    .option("--out <path>", "file to write; standard output where not given")
    .action((flags: ExportFlags) =>
      perform(async (context) => (await import("../commands/export.ts")).exportAll(context, flags)),
    );
}
