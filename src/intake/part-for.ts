import { z } from "zod";

const parts = new WeakMap<z.ZodObject, Map<string, z.ZodObject>>();
/** Bounds what comes of a file of which every line has other fields. */
const MOST_PARTS = 50;

/**
 * The part of a schema that can have something to say about these fields: those that are there, and those that must be. It gives the same
 * result as the whole, in half the time and less: zod asks for each absent field too, and most lines of a file have the same few of thirty.
 */
export function partFor<S extends z.ZodObject>(schema: S, fields: object): S {
  const known = parts.get(schema) ?? new Map<string, z.ZodObject>();
  parts.set(schema, known);
  const form = Object.keys(fields).join(" ");
  const part = known.get(form) ?? (known.size < MOST_PARTS ? cut(schema, fields) : schema);
  if (part !== schema) known.set(form, part);
  // What it lacks is optional, and absent.
  return part as S;
}

function cut({ shape }: z.ZodObject, fields: object): z.ZodObject {
  const needed = Object.entries(shape).filter(
    ([name, field]) => Object.hasOwn(fields, name) || field._zod.optin !== "optional",
  );
  return z.object(Object.fromEntries(needed));
}
