import { type OpenAiServer, openClient } from "./open-client.ts";

export type ServerState =
  | { readonly kind: "ready" }
  /** It answers, and does not say which models it has. */
  | { readonly kind: "unlisted" }
  | { readonly kind: "no_model"; readonly known: readonly string[] }
  | { readonly kind: "key_refused"; readonly status: number }
  | { readonly kind: "failing"; readonly status: number }
  | { readonly kind: "slow" }
  | { readonly kind: "unreachable"; readonly reason: string };

/** Asks a server which models it has: the one question that costs nothing, and that shows address, key and model at once. */
export async function probeServer(server: OpenAiServer): Promise<ServerState> {
  const { client, APIError } = await openClient(server);
  const limit = AbortSignal.timeout(server.timeoutMs);
  try {
    const { data } = await client.models.list({ signal: limit });
    if (!Array.isArray(data) || data.length === 0) return { kind: "unlisted" };
    const known = data.map(({ id }) => String(id));
    return known.some((id) => names(id, server.model))
      ? { kind: "ready" }
      : { kind: "no_model", known };
  } catch (error) {
    if (limit.aborted) return { kind: "slow" };
    if (error instanceof APIError && typeof error.status === "number")
      return ofStatus(error.status);
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { kind: "unreachable", reason: reasonOf(cause) };
  }
}

/** Ollama lists `llama3.2:latest` for what is asked for as `llama3.2`, Gemini puts `models/` before its names. */
function names(id: string, model: string): boolean {
  return [model, `${model}:latest`, `models/${model}`].includes(id);
}

function ofStatus(status: number): ServerState {
  if (status === 401 || status === 403) return { kind: "key_refused", status };
  return [404, 405, 501].includes(status) ? { kind: "unlisted" } : { kind: "failing", status };
}

/** Node's fetch says only "fetch failed"; what failed is its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "the connection failed";
  const inner = error.cause instanceof Error ? error.cause : error;
  return "code" in inner ? String(inner.code) : inner.message;
}
