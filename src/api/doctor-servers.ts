import type { Config, LanguageModelConfig, ServedEmbeddings } from "../config/config.ts";
import type { Parts, ServerState } from "../wire.ts";
import { advise, broken, brokenBy, type Finding, fine } from "./doctor-finding.ts";

/** Doctor is waited for; a server that needs longer to say which models it has is of no use at night either. */
const PROBE_MS = 10_000;

type ConfiguredServer = LanguageModelConfig | ServedEmbeddings;

export type ProbeServer = (server: {
  readonly endpoint: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly timeoutMs: number;
}) => Promise<ServerState>;

/** What is out on the network, where something is configured there. */
export async function checkServers(
  { llm, embeddings }: Config,
  probe: ProbeServer,
): Promise<readonly Finding[]> {
  return [
    llm === undefined
      ? fine("language model", "none is configured, and none is needed")
      : await checkServer({ check: "language model", server: llm, prefix: "LLM" }, probe),
    ...(embeddings === undefined || embeddings.provider === "local"
      ? []
      : [
          await checkServer(
            { check: "embeddings", server: embeddings, prefix: "SLOWWAVE_EMBEDDINGS" },
            probe,
          ),
        ]),
  ];
}

async function checkServer(
  asked: { readonly check: string; readonly server: ConfiguredServer; readonly prefix: string },
  probe: ProbeServer,
): Promise<Finding> {
  const { check, server, prefix } = asked;
  const { endpoint, model, apiKey, timeoutSeconds } = server;
  const timeoutMs = Math.min(PROBE_MS, timeoutSeconds * 1000);
  const state = await probe({ endpoint, model, key: apiKey?.reveal(), timeoutMs });
  switch (state.kind) {
    case "ready":
      return fine(check, `${endpoint} answers and has ${model}`);
    case "unlisted":
      return advise(
        check,
        `${endpoint} answers, and does not tell whether it has ${model}`,
        "The first run that needs it will tell.",
      );
    case "no_model":
      return broken(
        check,
        `${endpoint} answers and has no ${model}`,
        `It has ${state.known.slice(0, 5).join(", ")}${state.known.length > 5 ? ", …" : ""}: set ${prefix}_MODEL, or install the model there.`,
      );
    case "key_refused":
      return broken(
        check,
        `${endpoint} refuses ${apiKey === undefined ? "a request without a key" : "the key"} (${state.status})`,
        `Set ${prefix}_API_KEY to a key of this server.`,
      );
    case "failing":
      return broken(
        check,
        `${endpoint} answers ${state.status}`,
        "See what the server's log says.",
      );
    case "slow":
      return broken(
        check,
        `${endpoint} does not answer within ${timeoutMs / 1000} s`,
        "Start the server, or correct its address; runs go on without it.",
      );
    case "unreachable":
      return broken(
        check,
        `${endpoint} cannot be reached: ${state.reason}`,
        `Start the server, or correct ${prefix}_ENDPOINT; runs go on without it.`,
      );
  }
}

/** Where issues are kept. Of a tracker outside of the store, whether it can be read. */
export async function checkTracker({
  tracker,
  mirror,
}: Pick<Parts, "tracker" | "mirror">): Promise<Finding> {
  if (mirror === undefined) return fine("tracker", "issues are kept in the store");
  try {
    const issues = await mirror.readAll();
    return fine(
      "tracker",
      `${tracker.kind} can be read, with ${issues.length} issues of this store`,
    );
  } catch (error) {
    return brokenBy("tracker", error);
  }
}
