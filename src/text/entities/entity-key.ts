import { foldCase, plainPunctuation } from "../normalize.ts";

/**
 * The form under which variants of one name join: "GitHub" and "github", composed and decomposed accents, any spacing.
 * Accents stay: "Łódź" and "Lodz" may be two places.
 */
export function entityKey(name: string): string {
  return foldCase(plainPunctuation(name)).replace(/\s+/gu, " ").trim();
}
