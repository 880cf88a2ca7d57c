import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import S3rver from "s3rver";
import { onTestFinished } from "vitest";
import { tempFolder } from "./temp-store.ts";

const BUCKET = "memories";

export interface S3Server {
  /** Where a store may be: `s3://…`. */
  readonly uri: string;
  /** What a client needs to reach it, by LanceDB's names. */
  readonly storageOptions: Readonly<Record<string, string>>;
  /** The same for a process, as variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Conditional puts that were refused, since the object was there. */
  refusals(): number;
}

/**
 * An object store that speaks S3, on this machine, until the test ends. s3rver shows objects that are half written, which is put right in
 * front of it by serving one request after the other, and overlooks `If-None-Match: *`, which is put right with `conditionalPut`, as AWS, MinIO, R2 and others do it.
 */
export async function startS3Server({
  conditionalPut,
}: {
  readonly conditionalPut: boolean;
}): Promise<S3Server> {
  const directory = await tempFolder();
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: BUCKET }] });
  await s3.configureBuckets();
  const gate = createGate({
    conditionalPut,
    handle: s3.callback(),
    exists: (key) => s3.store.existsObject(BUCKET, key),
  });
  const server = createServer(gate.pass);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    s3.logger.exceptions.unhandle();
    s3.logger.close();
  });
  // Listening on a port of TCP, the server has an address of this shape.
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    uri: `s3://${BUCKET}/store`,
    storageOptions: {
      awsAccessKeyId: "S3RVER",
      awsSecretAccessKey: "S3RVER",
      awsRegion: "us-east-1",
      awsEndpoint: endpoint,
      allowHttp: "true",
    },
    env: {
      AWS_ACCESS_KEY_ID: "S3RVER",
      AWS_SECRET_ACCESS_KEY: "S3RVER",
      AWS_REGION: "us-east-1",
      AWS_ENDPOINT: endpoint,
      AWS_ALLOW_HTTP: "true",
    },
    refusals: gate.refusals,
  };
}

/** One request at a time; a conditional put whose object is there is refused. */
function createGate({
  conditionalPut,
  handle,
  exists,
}: {
  readonly conditionalPut: boolean;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly exists: (key: string) => Promise<boolean>;
}) {
  let last = Promise.resolve();
  let refused = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const done = new Promise<void>((resolve) => response.once("close", resolve));
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const key = decodeURIComponent(pathname.slice(BUCKET.length + 2));
    const isCreation = request.method === "PUT" && request.headers["if-none-match"] === "*";
    if (conditionalPut && isCreation && (await exists(key))) {
      refused += 1;
      request.resume();
      response.writeHead(412, { "content-type": "application/xml" });
      response.end("<Error><Code>PreconditionFailed</Code></Error>");
    } else {
      handle(request, response);
    }
    await done;
  };
  return {
    refusals: () => refused,
    pass: (request: IncomingMessage, response: ServerResponse): void => {
      last = last.then(() => serve(request, response));
    },
  };
}
