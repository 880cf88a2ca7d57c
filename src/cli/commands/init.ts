import { access, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { configFileOf } from "../../config/load-config.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { type Paint, printable } from "../paint.ts";
import { sourcesOf, withParts } from "../with-parts.ts";

export async function init(context: CommandContext): Promise<CommandResult> {
  return await withParts(context, { mode: "write", create: true }, async (parts) => {
    const { vault, namespace } = parts.config;
    if (vault !== undefined) await mkdir(vault, { recursive: true });
    const file = await keepFlags(context, { vault, namespace });
    const done = { store: parts.store.uri, vault, file };
    return {
      document: {
        store: done.store,
        storeId: parts.store.storeId,
        vault: vault ?? null,
        config: file.path,
        configWritten: file.isWritten,
      },
      text: (paint) => describe(done, paint),
    };
  });
}

interface KeptFlags {
  readonly path: string;
  readonly isWritten: boolean;
}

/**
 * Later commands are to know the vault without being told again, so the flags go into the configuration file: only for the default store,
 * as a file of its user must not follow from a trial with `--store`, and never over a file that is there.
 */
async function keepFlags(
  context: CommandContext,
  values: { readonly vault: string | undefined; readonly namespace: string | undefined },
): Promise<KeptFlags> {
  const { io, globals } = context;
  const file = configFileOf(sourcesOf(context));
  const isTrial = Boolean(globals.store ?? io.env.SLOWWAVE_STORE);
  const given = Object.entries({
    ...(globals.vault === undefined ? {} : { vault: values.vault }),
    ...(globals.namespace === undefined ? {} : { namespace: values.namespace }),
  });
  if (isTrial || given.length === 0 || (await exists(file)))
    return { path: file, isWritten: false };
  const { stringify } = await import("yaml");
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, stringify(Object.fromEntries(given)), { flag: "wx" });
  return { path: file, isWritten: true };
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // Whatever keeps it from being seen: writing it then says what is wrong.
    return false;
  }
}

function describe(
  done: { readonly store: string; readonly vault: string | undefined; readonly file: KeptFlags },
  paint: Paint,
): string {
  const { store, vault, file } = done;
  return [
    `store ${paint.bold(printable(store))} is ready`,
    vault === undefined
      ? "no vault is configured: promotion waits until there is one (--vault DIR)"
      : `vault ${paint.bold(printable(vault))} is ready`,
    file.isWritten
      ? `written to ${printable(file.path)}, which later commands read`
      : `configuration: ${printable(file.path)}`,
  ].join("\n");
}
