import { SlowwaveError } from "../../model/errors.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { System } from "../../ports/system.ts";
import type { VectorCache } from "../../ports/vector-cache.ts";
import { batchTexts, clipText } from "./batch-texts.ts";
import {
  type EmbeddingsClient,
  type EmbeddingsResult,
  openEmbeddingsClient,
} from "./embeddings-client.ts";
import { retryAfterMs } from "./retry-after.ts";

export interface OpenAiEmbedderOptions {
  readonly provider: string;
  readonly endpoint: string;
  readonly model: string;
  readonly dimensions: number;
  /** Whether to name `dimensions` in requests. A server that refuses that is asked without. */
  readonly askDimensions: boolean;
  readonly key?: string | undefined;
  readonly timeoutMs: number;
  readonly textsPerCall: number;
  /** Estimated. */
  readonly tokensPerCall: number;
  /** Estimated; of a longer text the beginning is embedded. */
  readonly tokensPerText: number;
  readonly cache: VectorCache;
  readonly system: Pick<System, "sleep" | "wallNow">;
  /** Lets calls pass at the configured rate. */
  readonly pace: (signal: AbortSignal) => Promise<void>;
  readonly onNote: (note: string) => void;
}

/** Tries of one request: the first, and two more where the server is busy or away. */
const TRIES = 3;
/** A server that asks for more is left alone until the next run. */
const LONGEST_WAIT_MS = 60_000;
/** How often a text that a server refuses is halved before it is given up. */
const HALVINGS = 4;

/**
 * Any server of the OpenAI protocol. A text that was embedded before is read from the cache. Blank
 * texts have no vector and are not sent. Fails with `SlowwaveError("embedder")`, which names neither key nor text.
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { provider, model, dimensions } = options;
  const session: Session = { options, askDimensions: options.askDimensions, calls: 0 };
  return {
    id: `${provider}:${encodeURIComponent(model)}@${dimensions}`,
    dimensions,
    embed: async (texts) => {
      const wanted = texts.map((text) => clipText(wellFormed(text).trim(), options.tokensPerText));
      const found = await findVectors(
        [...new Set(wanted)].filter((text) => text !== ""),
        session,
      );
      return wanted.map((text) => found.get(text) ?? new Float32Array(dimensions));
    },
  };
}

/** Half a surrogate pair has no UTF-8. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

interface Session {
  readonly options: OpenAiEmbedderOptions;
  client?: Promise<EmbeddingsClient>;
  askDimensions: boolean;
  calls: number;
}

async function findVectors(
  texts: readonly string[],
  session: Session,
): Promise<ReadonlyMap<string, Float32Array>> {
  const { options } = session;
  const { cache } = options;
  const found = new Map<string, Float32Array>();
  for (const text of texts) {
    // In turns: thousands of files at once would be more than a process may open.
    const known = await cache.read(text);
    if (known !== undefined) found.set(text, known);
  }
  const unknown = texts.filter((text) => !found.has(text));
  const limits = { maxTexts: options.textsPerCall, maxTokens: options.tokensPerCall };
  for (const batch of batchTexts(unknown, limits)) {
    // In turns, and kept one by one: what was paid for survives the failure of a later batch.
    for (const [index, vector] of (await embedBatch(batch, session)).entries()) {
      const text = batch[index] ?? "";
      found.set(text, vector);
      await cache.write(text, vector);
    }
  }
  return found;
}

/** A refused batch is asked for in halves, down to the text that the server cannot take, of which the beginning is tried. */
async function embedBatch(
  texts: readonly string[],
  session: Session,
  halvings = 0,
): Promise<readonly Float32Array[]> {
  const result = await askWithRetries(texts, session);
  if (result.kind === "vectors") {
    return result.vectors.map((vector) => unitVector(vector, session.options));
  }
  if (result.kind === "failed") throw failure(result.message, session);
  if (texts.length > 1) {
    const middle = Math.ceil(texts.length / 2);
    const first = await embedBatch(texts.slice(0, middle), session);
    return [...first, ...(await embedBatch(texts.slice(middle), session))];
  }
  const [text = ""] = texts;
  const half = clipText(text, Math.ceil(text.length / 2 / 3));
  if (halvings === HALVINGS || half === text || half === "") throw failure(result.message, session);
  return await embedBatch([half], session, halvings + 1);
}

async function askWithRetries(
  texts: readonly string[],
  session: Session,
): Promise<EmbeddingsResult> {
  const { system } = session.options;
  for (let tries = 1; ; tries += 1) {
    // In turn: each try waits for what the one before was told.
    const result = await callOnce(texts, session);
    if (result.kind !== "failed" || !result.isRetryable || tries === TRIES) return result;
    const wait = retryAfterMs(result.headers, system.wallNow()) ?? 1000 * 2 ** (tries - 1);
    if (wait > LONGEST_WAIT_MS) return result;
    await system.sleep(wait, NEVER);
  }
}

async function callOnce(texts: readonly string[], session: Session): Promise<EmbeddingsResult> {
  const { options } = session;
  const { provider, model, dimensions } = options;
  session.client ??= openEmbeddingsClient({ ...options, key: options.key });
  const client = await session.client;
  await options.pace(NEVER);
  session.calls += 1;
  options.onNote(
    `embeddings: call ${session.calls} to ${provider}/${model}, ${texts.length} texts`,
  );
  const result = await client.ask(texts, session.askDimensions ? dimensions : undefined);
  if (result.kind !== "refused" || !session.askDimensions) return result;
  // Perhaps for the field alone, which not every server knows; the vectors' size is checked whatever it was asked.
  await options.pace(NEVER);
  session.calls += 1;
  const without = await client.ask(texts, undefined);
  if (without.kind === "vectors") session.askDimensions = false;
  return without;
}

/** No caller of an embedder can end it before its time yet. */
const NEVER = new AbortController().signal;

function unitVector(numbers: readonly number[], options: OpenAiEmbedderOptions): Float32Array {
  const { dimensions, model } = options;
  if (numbers.length !== dimensions) {
    throw new SlowwaveError(
      "embedder",
      `embeddings of ${model}: expected vectors of ${dimensions} numbers, got ${numbers.length}`,
      { hint: `Set embeddings.dimensions to ${numbers.length}, or to what the model can make.` },
    );
  }
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (value) => (length === 0 ? 0 : value / length));
}

function failure(message: string, { options }: Session): SlowwaveError {
  const { provider, model, endpoint } = options;
  const { host } = new URL(endpoint);
  return new SlowwaveError(
    "embedder",
    `embeddings of ${provider}/${model} from ${host}: ${message}`,
    {
      hint: hintFor(message),
    },
  );
}

function hintFor(message: string): string {
  if (/40[13]$/u.test(message))
    return "Check the key: SLOWWAVE_EMBEDDINGS_API_KEY, or embeddings.apiKey.";
  if (/404$/u.test(message)) return "Check embeddings.endpoint and embeddings.model.";
  return "Try again later; SLOWWAVE_EMBEDDINGS_PROVIDER=built-in works without a server.";
}
