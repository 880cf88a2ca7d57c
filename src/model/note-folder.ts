/** What may stand in braces in the folder of notes. */
const FOLDER_TOKENS = ["kind", "topic", "namespace", "year", "month"] as const;
export type FolderToken = (typeof FOLDER_TOKENS)[number];

export const DEFAULT_NOTE_FOLDER = "Memories/{kind}";

/** Folders that hold what is no living memory's note. */
export const OWN_FOLDERS = {
  archive: "Memories/Archive",
  topics: "Memories/Topics",
  log: "Memories/Log",
} as const;

const MAX_SEGMENTS = 6;

/** What is wrong with a template such as `{kind}/{topic}`: what was expected of it, or `undefined` for a good one. */
export function folderTemplateProblem(template: string): string | undefined {
  const segments = template.split("/");
  if (segments.length > MAX_SEGMENTS || segments.some((segment) => segment.trim() === "")) {
    return `1 to ${MAX_SEGMENTS} folder names with / between them`;
  }
  const unknown = [...template.matchAll(/\{([^{}]*)\}/g)].find(([, name = ""]) => !isToken(name));
  if (unknown !== undefined) {
    return `one of ${FOLDER_TOKENS.map((token) => `{${token}}`).join(", ")} for ${unknown[0]}`;
  }
  const bare = segments.map((segment) => segment.replace(/\{[^{}]*\}/g, "x"));
  if (bare.some((segment) => UNSAFE.test(segment))) {
    return 'names without \\ : * ? " < > | # ^ [ ] { } % and without a dot or space at either end';
  }
  const lower = `${template.toLowerCase()}/`;
  const own = Object.values(OWN_FOLDERS).find((folder) => lower.startsWith(folder.toLowerCase()));
  return own === undefined ? undefined : `another folder than ${own}, which has other notes`;
}

/** Each token replaced by what `value` gives for it, segment by segment. */
export function fillFolderTemplate(
  template: string,
  value: (token: FolderToken) => string,
): readonly string[] {
  return template
    .split("/")
    .map((segment) =>
      segment.replace(/\{([^{}]*)\}/g, (whole, name: string) =>
        isToken(name) ? value(name) : whole,
      ),
    );
}

function isToken(name: string): name is FolderToken {
  return FOLDER_TOKENS.some((token) => token === name);
}

const UNSAFE = /[\\:*?"<>|#^[\]{}%\p{Cc}]|^[. ]|[. ]$/u;
