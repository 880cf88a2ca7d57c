import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly [key: string]: unknown };
}

export type Answer = (response: ServerResponse, received: Received) => void;

/** A real HTTP server that gives its answers in order, the last one for ever, and keeps what it was sent. */
export async function startServer(
  ...answers: readonly Answer[]
): Promise<{ readonly endpoint: string; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const answer = answers[Math.min(received.length, answers.length - 1)];
    const asked: Received = {
      path: request.url ?? "",
      headers: request.headers,
      // A GET has none.
      body: chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString("utf8")),
    };
    received.push(asked);
    answer?.(response, asked);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  // Listening on a port, so the address is one.
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}/v1`, received };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
}

export function completion(
  content: string | null,
  fields: object = {},
  message: object = {},
): Answer {
  return json(200, {
    id: "c1",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content, ...message },
        ...fields,
      },
    ],
    usage: { prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 },
  });
}
