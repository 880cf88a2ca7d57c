declare module "s3rver" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  /** The part of s3rver that the tests use; it brings no types of its own. */
  class S3rver {
    constructor(options: {
      readonly directory: string;
      readonly silent: boolean;
      readonly configureBuckets: readonly { readonly name: string }[];
    });
    readonly store: { existsObject(bucket: string, key: string): Promise<boolean> };
    readonly logger: { close(): void; readonly exceptions: { unhandle(): void } };
    configureBuckets(): Promise<unknown>;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
  export = S3rver;
}
