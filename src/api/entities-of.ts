import { extractEntities } from "../text/entities/extract-entities.ts";

/** Of a document the opening tells what it is about; thousands of names would link it to everything. */
const READ_CHARACTERS = 20_000;

/** The entities that a memory's text names, looked for in its first 20,000 characters. */
export function entitiesOf(text: string): readonly string[] {
  return extractEntities(text.slice(0, READ_CHARACTERS));
}
