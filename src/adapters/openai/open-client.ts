export interface OpenAiServer {
  readonly endpoint: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly timeoutMs: number;
}

/** The package's client, which sends the key that was given for this server, once, to this server alone. */
export async function openClient(
  server: OpenAiServer,
  options: { readonly fetch?: typeof fetch } = {},
) {
  // Loaded here: most commands never ask a server.
  const { OpenAI, APIError } = await import("openai");
  const client = new OpenAI({
    // The package reads the environment for whatever is not given, and a key found there was not given for this server.
    apiKey: server.key ?? "none",
    organization: null,
    project: null,
    baseURL: server.endpoint,
    maxRetries: 0,
    timeout: server.timeoutMs,
    logLevel: "off",
    ...options,
    ...(server.key === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    // A redirect would carry memories to a server that nobody configured.
    fetchOptions: { redirect: "error" },
  });
  return { client, APIError };
}
