import { cortexgraphReader } from "./cortexgraph.ts";
import type { IntakeReader } from "./incoming.ts";
import { jsonlReader } from "./jsonl.ts";
import { markdownReader } from "./markdown.ts";
import { mcpReader } from "./mcp.ts";

export const IMPORT_FORMATS = ["cortexgraph", "mcp", "jsonl", "markdown"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export const READERS: Readonly<Record<ImportFormat, IntakeReader>> = {
  cortexgraph: cortexgraphReader,
  mcp: mcpReader,
  jsonl: jsonlReader,
  markdown: markdownReader,
};
