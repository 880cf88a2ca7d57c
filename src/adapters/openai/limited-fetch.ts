/** Bytes; hundreds of times what any question allows as an answer. */
const LONGEST_BODY = 5_000_000;

/** The server sent more than any answer can be. */
export class BodyTooLong extends Error {
  override readonly name = "BodyTooLong";
}

/** `fetch`, but a body without end stops before it fills the memory. */
export async function limitedFetch(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  let left = LONGEST_BODY;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new BodyTooLong("the body is too long"));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}
