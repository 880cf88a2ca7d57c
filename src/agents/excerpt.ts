import { remembering } from "../text/remembering.ts";
import { findSecrets } from "../text/secrets.ts";

/** Asked again for every finding that a memory is part of. */
export const holdsSecret: (content: string) => boolean = remembering(
  (content) => findSecrets(content).length > 0,
  20_000,
);

/** The first words of a memory, for titles. Titles travel to trackers and logs: a memory that holds a secret shows none of its words. */
export function excerptOf(content: string, length = 40): string {
  if (holdsSecret(content)) return "(holds a secret)";
  const line = content.replace(/\s+/gu, " ").trim();
  const characters = [...line];
  const cut = characters.length <= length ? line : `${characters.slice(0, length - 1).join("")}…`;
  return `"${cut}"`;
}
