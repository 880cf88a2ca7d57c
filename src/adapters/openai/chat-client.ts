import type { JsonObject } from "../../model/json.ts";
import type { LanguageFailure, LanguageRequest } from "../../ports/language-model.ts";
import { BodyTooLong, limitedFetch } from "./limited-fetch.ts";
import { type OpenAiServer, openClient } from "./open-client.ts";

/**
 * How the reply's shape is asked for, the strictest first; servers that claim compatibility know some of them. `bare` leaves out what
 * OpenAI's reasoning models refuse as well: a temperature, and the limit by its old name.
 */
export const FORMATS = ["json_schema", "json_object", "prompt", "bare"] as const;
export type Format = (typeof FORMATS)[number];

export type ChatResult =
  | { readonly kind: "body"; readonly body: unknown }
  /** The server does not take this format. */
  | { readonly kind: "format_refused" }
  | {
      readonly kind: "failed";
      readonly failure: LanguageFailure;
      readonly message: string;
      readonly isRetryable: boolean;
      readonly headers?: Headers | undefined;
    };

export interface ChatClient {
  /** One request, never repeated by itself. Throws the signal's reason when aborted. */
  ask(request: LanguageRequest, format: Format, signal: AbortSignal): Promise<ChatResult>;
}

export async function openChatClient(server: OpenAiServer): Promise<ChatClient> {
  const { client, APIError } = await openClient(server, { fetch: limitedFetch });
  return {
    ask: async (request, format, signal) => {
      // The package's own time limit ends with the headers; a body may hang as well.
      const limit = AbortSignal.timeout(server.timeoutMs);
      try {
        const body: unknown = await client.chat.completions.create(
          { model: server.model, ...bodyOf(request, format) },
          { signal: AbortSignal.any([signal, limit]) },
        );
        return { kind: "body", body };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof APIError && typeof error.status === "number") {
          return ofStatus(error.status, format, error.headers);
        }
        return ofError(error, limit.aborted, server);
      }
    },
  };
}

function ofError(error: unknown, isLate: boolean, { timeoutMs }: OpenAiServer): ChatResult {
  if (isLate || (error instanceof Error && /timed? ?out/iu.test(error.message))) {
    return failed("timeout", `no reply within ${timeoutMs / 1000} s`, true);
  }
  if (error instanceof SyntaxError) return failed("bad_response", "the reply is no JSON", true);
  if (error instanceof BodyTooLong) return failed("bad_response", "the reply is too long", false);
  return failed("unreachable", "the connection failed", true);
}

/** No word of the body: servers repeat keys and prompts in their errors. */
function ofStatus(status: number, format: Format, headers: Headers | undefined): ChatResult {
  if (status === 429) return { ...failed("rate_limited", "429, too many requests", true), headers };
  if (status >= 500 || status === 408 || status === 409) {
    return { ...failed("server_error", `the server answered ${status}`, true), headers };
  }
  const isAboutBody = status === 400 || status === 404 || status === 415 || status === 422;
  if (isAboutBody && format !== "bare") return { kind: "format_refused" };
  return failed("refused_request", `the server answered ${status}`, false);
}

function failed(failure: LanguageFailure, message: string, isRetryable: boolean) {
  return { kind: "failed", failure, message, isRetryable } as const;
}

function bodyOf({ system, user, schema, maxOutputTokens }: LanguageRequest, format: Format) {
  return {
    // Servers refuse JSON mode where no message has the word.
    messages: [
      {
        role: "system" as const,
        content: `${system}\nReply with JSON of this schema:\n${JSON.stringify(schema.schema)}`,
      },
      { role: "user" as const, content: user },
    ],
    ...(format === "bare"
      ? { max_completion_tokens: maxOutputTokens }
      : { temperature: 0, max_tokens: maxOutputTokens }),
    ...formatOf(schema, format),
  };
}

function formatOf(schema: { readonly name: string; readonly schema: JsonObject }, format: Format) {
  switch (format) {
    case "json_schema":
      return {
        response_format: {
          type: "json_schema",
          json_schema: { name: schema.name, schema: { ...schema.schema }, strict: true },
        },
      } as const;
    case "json_object":
      return { response_format: { type: "json_object" } } as const;
    case "prompt":
    case "bare":
      return {};
  }
}
