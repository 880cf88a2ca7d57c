import { toIso } from "../../model/instant.ts";
import type { NoteLink, NoteSubject } from "../../ports/note-vault.ts";
import { escapeContent, quoteContent } from "./escape-content.ts";

/** What we write between our marks: the memory first, then its relations as links, and its history in a folded callout. */
export function renderBody(subject: NoteSubject): string {
  const blocks = [escapeContent(subject.memory.content), related(subject.links), history(subject)];
  return `\n${blocks.filter((block) => block !== "").join("\n\n")}\n\n`;
}

function related(links: readonly NoteLink[]): string {
  if (links.length === 0) return "";
  return `## Related\n\n${links.map((link) => `- ${renderLink(link)}`).join("\n")}`;
}

function renderLink({ path, title, relationType }: NoteLink): string {
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
