import { readFile } from "node:fs/promises";
import path from "node:path";
import { SlowwaveError } from "../model/errors.ts";

/**
 * The plain data of a JSON or YAML file, by its extension. An empty file is an empty object; a file that is not there is `undefined`
 * unless it was asked for by name.
 * @throws SlowwaveError `config` naming the file and, for a syntax error, the line.
 */
export async function readConfigFile(
  file: string,
  { required }: { readonly required: boolean },
): Promise<Record<string, unknown> | undefined> {
  const text = await readText(file, required);
  if (text === undefined) return undefined;
  const data = await parse(file, text.replace(/^\uFEFF/, ""));
  if (data === null || data === undefined) return {};
  if (typeof data === "object" && !Array.isArray(data)) return { ...data };
  throw new SlowwaveError("config", `${file}: expected keys with values, got ${describe(data)}`);
}

async function readText(file: string, required: boolean): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    if (missing && !required) return undefined;
    throw new SlowwaveError(
      "config",
      missing ? `${file}: no such configuration file` : `${file}: cannot be read`,
      { cause, hint: "Check the path given with --config." },
    );
  }
}

async function parse(file: string, text: string): Promise<unknown> {
  switch (path.extname(file).toLowerCase()) {
    case ".json":
      return parseJson(file, text);
    case ".yaml":
    case ".yml":
      return await parseYaml(file, text);
    default:
      throw new SlowwaveError("config", `${file}: expected a .yaml, .yml or .json file`);
  }
}

function parseJson(file: string, text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SlowwaveError("config", `${file}: not valid JSON`, { cause });
  }
}

/** Most have no file, and every command waits for what is loaded here. */
async function parseYaml(file: string, text: string): Promise<unknown> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  const [error] = document.errors;
  if (error) {
    const line = error.linePos?.[0].line;
    const where = line === undefined ? file : `${file}, line ${line}`;
    throw new SlowwaveError("config", `${where}: not valid YAML`, { cause: firstLineOf(error) });
  }
  // A bound on aliases, so that a small file cannot grow into a huge object.
  return document.toJS({ maxAliasCount: 100 });
}

/** The parser appends the source with a marker below; one line is enough beside the line number. */
function firstLineOf(error: Error): Error {
  return new Error(error.message.split("\n")[0]?.replace(/ at line .*$/, "") ?? "");
}

function describe(data: unknown): string {
  return Array.isArray(data) ? "a list" : JSON.stringify(data);
}
