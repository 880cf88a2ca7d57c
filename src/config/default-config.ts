import { DEFAULT_SETTINGS } from "../model/default-settings.ts";
import { DEFAULT_NOTE_FOLDER } from "../model/note-folder.ts";

/** What a configuration is where nobody says otherwise, in the order of the schema; the schema takes its defaults from here. */
export const DEFAULT_CONFIG = {
  settings: DEFAULT_SETTINGS,
  intervalHours: 1,
  rateLimit: 60,
  notes: { folder: DEFAULT_NOTE_FOLDER, log: true },
  tracker: { kind: "embedded", command: "bd" },
  log: {},
  git: { enabled: true, sign: false, push: false },
  llm: {
    timeoutSeconds: 60,
    callsPerRun: 50,
    tokensPerRun: 100_000,
    callsPerDay: 200,
    tokensPerDay: 500_000,
  },
  embeddings: {
    timeoutSeconds: 60,
    textsPerCall: 128,
    tokensPerCall: 32_000,
    tokensPerText: 8000,
  },
} as const;
