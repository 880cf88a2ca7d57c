import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { probeServer } from "../../../src/adapters/openai/probe-server.ts";

/** A server that has one answer; `asked` holds paths and keys. */
async function aServer(answer: (response: ServerResponse) => void) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? "no key"}`);
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  // Listening on a port of TCP, the server has an address of this shape.
  const { port } = server.address() as AddressInfo;
  const probe = (model: string, key?: string, timeoutMs = 30_000) =>
    probeServer({ endpoint: `http://127.0.0.1:${port}/v1`, model, key, timeoutMs });
  return { asked, probe };
}

function models(...ids: readonly string[]) {
  return (response: ServerResponse): void => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ object: "list", data: ids.map((id) => ({ id })) }));
  };
}

function status(code: number) {
  return (response: ServerResponse): void => {
    response.writeHead(code, { "content-type": "application/json" });
    response.end("{}");
  };
}

test("a server that has the model is ready, by one request with the key", async () => {
  const { asked, probe } = await aServer(models("other", "llama3.2:latest"));
  expect(await probe("llama3.2", "k-1")).toEqual({ kind: "ready" });
  expect(await probe("other")).toEqual({ kind: "ready" });
  expect(asked).toEqual(["GET /v1/models Bearer k-1", "GET /v1/models no key"]);
});

test("a server without the model names those that it has", async () => {
  const { probe } = await aServer(models("a", "b"));
  expect(await probe("c")).toEqual({ kind: "no_model", known: ["a", "b"] });
});

test.each([
  [401, { kind: "key_refused", status: 401 }],
  [403, { kind: "key_refused", status: 403 }],
  [404, { kind: "unlisted" }],
  [503, { kind: "failing", status: 503 }],
])("an answer of %i is told apart, and asked for once", async (code, state) => {
  const { asked, probe } = await aServer(status(code));
  expect(await probe("m")).toEqual(state);
  expect(asked).toHaveLength(1);
});

test("a server that is silent is given up, and one that is not there is named so", async () => {
  const { probe } = await aServer(() => undefined);
  expect(await probe("m", undefined, 50)).toEqual({ kind: "slow" });
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const endpoint = `http://127.0.0.1:${port}/v1`;
  const nobody = { endpoint, model: "m", key: undefined, timeoutMs: 30_000 };
  expect(await probeServer(nobody)).toEqual({ kind: "unreachable", reason: "ECONNREFUSED" });
});
