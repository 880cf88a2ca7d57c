import { toIso } from "../../model/instant.ts";
import type { ArchiveReason } from "../../model/memory.ts";
import type { NoteLink, NoteSubject } from "../../ports/note-vault.ts";
import { findSecrets } from "../../text/secrets.ts";
import { escapeContent, quoteContent } from "./escape-content.ts";

/** What we write between our marks, in two parts: a person may edit the first, and the second is ours alone. */
export interface NoteBody {
  /** The memory, under a line that says why where it is archived. */
  readonly content: string;
  /** Its relations as links, and its history in a folded callout. */
  readonly tail: string;
}

export function renderBody(subject: NoteSubject): NoteBody {
  return {
    content: joinBlocks([redirect(subject), escapeContent(subject.memory.content)]),
    tail: joinBlocks([alsoSaid(subject.restatements), related(subject.links), history(subject)]),
  };
}

export function joinBody({ content, tail }: NoteBody): string {
  return `\n${joinBlocks([content, tail])}\n\n`;
}

function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== "").join("\n\n");
}

export const ARCHIVED_WORDS: Readonly<Record<ArchiveReason, string>> = {
  decayed: "not used for long",
  merged: "merged into another",
  superseded: "superseded by another",
  forgotten: "forgotten on request",
  deleted: "deleted where it came from",
  undone: "taken back with its run",
};

function redirect({ memory, successor }: NoteSubject): string {
  if (memory.status !== "archived") return "";
  const on = memory.archivedAt === undefined ? "" : ` on ${day(memory.archivedAt)}`;
  const why = ARCHIVED_WORDS[memory.archivedReason ?? "forgotten"];
  const to = successor === undefined ? "" : `, now ${renderLink(successor)}`;
  return `> [!warning] Archived${on}: ${why}${to}`;
}

/** More of these, or more of one, would bury the note. */
const MAX_RESTATEMENTS = 10;
const MAX_QUOTED = 600;

function alsoSaid(all: NoteSubject["restatements"] = []): string {
  // What was harmless when it was taken up may have been edited since.
  const restatements = all.filter(({ content }) => findSecrets(content).length === 0);
  if (restatements.length === 0) return "";
  const shown = restatements.slice(0, MAX_RESTATEMENTS).map(({ content, createdAt, source }) => {
    const origin = source === undefined ? "" : `, ${quoteContent(source)}`;
    return `- ${day(createdAt)}${origin}: ${quoteContent(cutText(content))}`;
  });
  const rest = restatements.length - shown.length;
  return `## Also said\n\n${[...shown, ...(rest > 0 ? [`- … and ${rest} more`] : [])].join("\n")}`;
}

function cutText(text: string): string {
  if (text.length <= MAX_QUOTED) return text;
  return `${text.slice(0, MAX_QUOTED).replace(/\p{Cs}$/u, "")}…`;
}

function related(links: readonly NoteLink[]): string {
  if (links.length === 0) return "";
  return `## Related\n\n${links.map((link) => `- ${renderLink(link)}`).join("\n")}`;
}

export function renderLink({ path, title, relationType }: NoteLink): string {
  const type = quoteContent(relationType).replaceAll("_", " ");
  const suffix = type === "related" ? "" : ` (${type})`;
  return `${wikilink(path.replace(/\.md$/i, ""), linkText(title))}${suffix}`;
}

function wikilink(target: string, text: string): string {
  // Names of ours never hold these; a note that a person named may. Only a Markdown link reaches it then.
  if (/[[\]|#^<>`\\\p{Cc}\p{Cs}]|%%/u.test(target)) {
    const url = encodeURI(target.replace(/\p{Cs}/gu, "\ufffd")).replace(
      /[#?]/g,
      encodeURIComponent,
    );
    return `[${text}](<${url}.md>)`;
  }
  return target === text ? `[[${target}]]` : `[[${target}|${text}]]`;
}

/** A title that cannot end its link, split off an alias, or start code, HTML or a comment. */
function linkText(title: string): string {
  return title
    .replace(/[\p{Cc}\s]+/gu, " ")
    .replace(/\p{Cs}/gu, "\ufffd")
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .replace(/[|\\]/g, "-")
    .replace(/[<>`]/g, "'")
    .replace(/%{2,}/g, "%")
    .trim();
}

function history(subject: NoteSubject): string {
  const { memory } = subject;
  const lines = [
    "[!info]- Where this comes from",
    ...sourceLines(subject),
    ...(memory.context === undefined ? [] : [`- Context: ${quoteContent(memory.context)}`]),
    ...memory.provenance.map(
      ({ agent, factId, at }) =>
        `- Stated by ${quoteContent(agent)} on ${day(at)}${factId === undefined ? "" : ` as ${quoteContent(factId)}`}`,
    ),
    `- ${promotion(subject)}`,
  ];
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

function sourceLines({ memory, sources }: NoteSubject): readonly string[] {
  return sources.map(({ id, content, createdAt, source }) => {
    const origin = source === undefined ? "" : `, ${quoteContent(source)}`;
    // An unmerged memory's text stands above already.
    const text =
      id === memory.id && content === memory.content ? "recorded" : quoteContent(content);
    return `- ${day(createdAt)}${origin}: ${text}`;
  });
}

function promotion({ memory, why, score }: NoteSubject): string {
  const on = memory.promotedAt === undefined ? "" : ` on ${day(memory.promotedAt)}`;
  return `Promoted${on}: ${quoteContent(why)} (score ${roundScore(score)})`;
}

/** Three decimals: enough to compare, and never an exponent, which YAML readers disagree on. */
export function roundScore(score: number): number {
  return Math.round(score * 1000) / 1000;
}

function day(instant: number): string {
  return toIso(instant).slice(0, 10);
}
