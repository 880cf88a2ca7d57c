import { z } from "zod";
import { type OpenAiServer, openClient } from "./open-client.ts";

export type EmbeddingsResult =
  /** One vector a text, in order, as the server made them. */
  | { readonly kind: "vectors"; readonly vectors: readonly (readonly number[])[] }
  /** The server does not take this request: a text too long for it, too many at once, or a field it does not know. */
  | { readonly kind: "refused"; readonly message: string }
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly isRetryable: boolean;
      readonly headers?: Headers | undefined;
    };

export interface EmbeddingsClient {
  /** One request, never repeated by itself. `dimensions`: how many numbers to ask for; absent: the model's own. */
  ask(texts: readonly string[], dimensions: number | undefined): Promise<EmbeddingsResult>;
}

const replySchema = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
});

export async function openEmbeddingsClient(server: OpenAiServer): Promise<EmbeddingsClient> {
  const { client, APIError } = await openClient(server);
  return {
    ask: async (texts, dimensions) => {
      // The package's own time limit ends with the headers; a body may hang as well.
      const limit = AbortSignal.timeout(server.timeoutMs);
      try {
        const body: unknown = await client.embeddings.create(
          {
            model: server.model,
            input: [...texts],
            // The package's default, base64, is unknown to many servers.
            encoding_format: "float",
            ...(dimensions === undefined ? {} : { dimensions }),
          },
          { signal: limit },
        );
        return readReply(body, texts.length);
      } catch (error) {
        if (error instanceof APIError && typeof error.status === "number") {
          return ofStatus(error.status, error.headers);
        }
        return withoutStatus(error, limit.aborted, server.timeoutMs);
      }
    },
  };
}

/** Servers may answer in any order, and name each text by its place. */
function readReply(body: unknown, count: number): EmbeddingsResult {
  const data = replySchema.safeParse(body).data?.data;
  const vectors = new Map(data?.map(({ index, embedding }) => [index, embedding]));
  const inOrder = Array.from({ length: count }, (_, index) => vectors.get(index) ?? []);
  if (data?.length !== count || inOrder.some(({ length }) => length === 0)) {
    const message = `expected ${count} vectors, got ${data === undefined ? "no list of embeddings" : data.length}`;
    return { kind: "failed", message, isRetryable: false };
  }
  return { kind: "vectors", vectors: inOrder };
}

function withoutStatus(error: unknown, isOver: boolean, timeoutMs: number): EmbeddingsResult {
  const isSlow = isOver || (error instanceof Error && /timed? ?out/iu.test(error.message));
  const message = isSlow ? `no reply within ${timeoutMs / 1000} s` : "the connection failed";
  return { kind: "failed", message, isRetryable: true };
}

/** No word of the body: servers repeat keys and texts in their errors. */
function ofStatus(status: number, headers: Headers | undefined): EmbeddingsResult {
  const message = `the server answered ${status}`;
  if ([400, 413, 415, 422].includes(status)) return { kind: "refused", message };
  const isRetryable = status === 429 || status === 408 || status === 409 || status >= 500;
  return { kind: "failed", message, isRetryable, headers };
}
