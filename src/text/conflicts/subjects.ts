import { listsOf } from "./word-lists.ts";
import type { Word } from "./words.ts";

/** Whom or what a statement is about, as far as its first words say. */
export type Subject =
  | { readonly kind: "name"; readonly names: readonly string[] }
  | { readonly kind: "user" }
  | { readonly kind: "pronoun" };

export function readSubject(text: string, words: readonly Word[]): Subject | undefined {
  const start = words.findIndex((word) => !ARTICLES.has(word.fold));
  const first = words[start];
  if (first === undefined) return undefined;
  if (USER.has(first.fold)) return { kind: "user" };
  if (PRONOUNS.has(first.fold)) return { kind: "pronoun" };
  const names = leadingNames(text, words.slice(start));
  return names.length === 0 ? undefined : { kind: "name", names };
}

/** Whether two statements are about different things by name, and neither names the other's. */
export function haveOtherSubjects(a: AboutSomething, b: AboutSomething): boolean {
  if (a.subject?.kind !== "name" || b.subject?.kind !== "name")
    return isUserAndName(a.subject, b.subject);
  return !mentionsAny(b.words, a.subject.names) && !mentionsAny(a.words, b.subject.names);
}

interface AboutSomething {
  readonly subject: Subject | undefined;
  readonly words: readonly Word[];
}

const ARTICLES = new Set(["the", "a", "an", "our", "their"]);
const USER = new Set(["user", "users", "user's", "i", "my", "i'm", "i've", "me"]);
const PRONOUNS = new Set(["he", "she", "they", "it", "his", "her", "its", "this", "that"]);
const NOT_A_NAME = new Set(
  (
    "we you our your two three four five six seven people some someone nobody everyone all no not never always there here do don't use " +
    "avoid prefer run make keep put deploy in on at after before when if while every each located by for with from to as and or"
  ).split(" "),
);

function leadingNames(text: string, words: readonly Word[]): string[] {
  const names: string[] = [];
  for (const [index, word] of words.entries()) {
    const isCapitalised = /^\p{Lu}/u.test(word.text);
    const previous = words[index - 1];
    const isBroken =
      previous !== undefined &&
      /[.,;:!?]\s/u.test(text.slice(previous.end, word.start)) &&
      previous.text.length > 3;
    if (!isCapitalised || isBroken || NOT_A_NAME.has(word.fold) || isNationality(word)) break;
    names.push(word.lemma);
    if (word.text.endsWith("'s")) break;
  }
  return names;
}

/** "An Indian chef" and "a Thai chef" may be one person of whom one text is wrong; "French" and "Turkish" are not whom a text is about. */
function isNationality({ lemma }: Word): boolean {
  return listsOf(lemma).includes("language");
}

function isUserAndName(a: Subject | undefined, b: Subject | undefined): boolean {
  const kinds = [a?.kind, b?.kind];
  return (
    kinds.includes("user") && kinds.includes("name") && hasPersonalName(a) && hasPersonalName(b)
  );
}

/** A single capitalised word at the start may be any word ("Staging has …"); two in a row are a name. */
function hasPersonalName(subject: Subject | undefined): boolean {
  return subject?.kind !== "name" || subject.names.length > 1;
}

function mentionsAny(words: readonly Word[], names: readonly string[]): boolean {
  return words.some((word) => names.includes(word.lemma));
}
