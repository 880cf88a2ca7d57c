import { hashOf } from "../../model/hash.ts";
import { jitterOf } from "../../model/jitter.ts";
import type { LanguageModel, LanguageReply, LanguageRequest } from "../../ports/language-model.ts";
import type { System } from "../../ports/system.ts";
import { type ChatClient, type ChatResult, FORMATS, openChatClient } from "./chat-client.ts";
import { readCompletion, type TokenCounts } from "./read-completion.ts";
import { openReplyCache } from "./reply-cache.ts";
import { retryAfterMs } from "./retry-after.ts";
import { type Ceilings, openSpendLedger, type SpendLedger } from "./spend-ledger.ts";

export interface OpenAiModelOptions {
  readonly provider: string;
  readonly endpoint: string;
  readonly model: string;
  readonly key?: string | undefined;
  readonly timeoutMs: number;
  readonly ceilings: Ceilings;
  /** For replies and the ledger. */
  readonly cacheFolder: string;
  readonly system: Pick<System, "sleep" | "wallNow" | "randomToken">;
  /** Lets calls pass at the configured rate. */
  readonly pace: (signal: AbortSignal) => Promise<void>;
  readonly onNote: (note: string) => void;
}

/** Tries of one request: the first, and two more where the server is busy or away. */
const TRIES = 3;
/** A server that asks for more is left alone until the next run. */
const LONGEST_WAIT_MS = 60_000;
/** Requests that fail one after the other before nobody asks any more, whichever agent it is. */
const FAILURES_TO_STOP = 3;
const CHARACTERS_PER_TOKEN = 4;

/** Any server of the OpenAI protocol. One object serves one run: its ceilings, its breaker, and the formats its server refused. */
export function createOpenAiModel(options: OpenAiModelOptions): LanguageModel {
  const cache = openReplyCache(options.cacheFolder);
  const ledger = openSpendLedger({
    folder: options.cacheFolder,
    ceilings: options.ceilings,
    wallNow: () => options.system.wallNow(),
  });
  const state: State = { options, ledger, client: undefined, format: 0, failures: 0 };
  const id = `${options.provider}/${options.model}`;
  let cached = 0;
  return {
    id,
    use: () => ({ model: id, cached, ...ledger.spent() }),
    complete: async (request, signal) => {
      const key = hashOf([options.endpoint, options.model, request], 40);
      const known = await cache.read(key);
      if (known !== undefined) {
        cached += 1;
        const { text, ...counts } = known;
        return { kind: "reply", text, reply: { id: key, model: id, ...counts } };
      }
      if (state.failures >= FAILURES_TO_STOP) {
        return {
          kind: "failed",
          failure: "breaker_open",
          message: "it failed too often in this run",
        };
      }
      const outcome = await askWithRetries(request, state, signal);
      if (outcome.kind === "failed") return outcome;
      const { text, counts } = outcome;
      await cache.write(key, { text, ...counts });
      return { kind: "reply", text, reply: { id: key, model: id, ...counts } };
    },
  };
}

interface State {
  readonly options: OpenAiModelOptions;
  readonly ledger: SpendLedger;
  client: Promise<ChatClient> | undefined;
  /** The first format that the server has not refused. */
  format: number;
  /** In a row. */
  failures: number;
}

type Asked =
  | { readonly kind: "text"; readonly text: string; readonly counts: TokenCounts }
  | Extract<LanguageReply, { kind: "failed" }>;

async function askWithRetries(
  request: LanguageRequest,
  state: State,
  signal: AbortSignal,
): Promise<Asked> {
  for (let tries = 1; ; tries += 1) {
    // In turn: each try waits for what the one before was told.
    const result = await callInKnownFormat(request, state, signal);
    if (result.kind === "ceiling") {
      return { kind: "failed", failure: "ceiling", message: result.why };
    }
    if (result.kind === "body") return await readBody(result.body, request, state);
    const wait = tries < TRIES ? waitOf(result, tries, state.options.system) : undefined;
    if (wait === undefined) return giveUp(result, tries, state);
    await state.options.system.sleep(wait, signal);
  }
}

function giveUp(result: FailedCall, tries: number, state: State): Asked {
  // Told to wait longer than a run should, nobody asks again before the next one.
  const isToldToWait = result.isRetryable && tries < TRIES;
  state.failures = isToldToWait ? FAILURES_TO_STOP : state.failures + 1;
  return { kind: "failed", failure: result.failure, message: result.message };
}

type FailedCall = Extract<ChatResult, { kind: "failed" }>;

/** Goes on to the next format where the server refuses one; the last one is never refused for its format. */
async function callInKnownFormat(
  request: LanguageRequest,
  state: State,
  signal: AbortSignal,
): Promise<Exclude<CallResult, { kind: "format_refused" }>> {
  for (;;) {
    // In turn: whether there is a next format to try is what the answer says.
    const result = await callOnce(request, state, signal);
    if (result.kind !== "format_refused") return result;
    state.format += 1;
  }
}

type CallResult = ChatResult | { readonly kind: "ceiling"; readonly why: string };

async function callOnce(
  request: LanguageRequest,
  state: State,
  signal: AbortSignal,
): Promise<CallResult> {
  const { options, ledger } = state;
  const why = await ledger.whyNot(tokensOf(request));
  if (why !== undefined) return { kind: "ceiling", why };
  await options.pace(signal);
  state.client ??= openChatClient({ ...options, key: options.key });
  const client = await state.client;
  await ledger.enterCall();
  options.onNote(
    `language model: call ${ledger.spent().calls} to ${options.provider}/${options.model}`,
  );
  return await client.ask(request, FORMATS[state.format] ?? "bare", signal);
}

/** Before the call: the longest it can become. */
function tokensOf({ system, user, schema, maxOutputTokens }: LanguageRequest): number {
  const characters = system.length + user.length + JSON.stringify(schema).length;
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + maxOutputTokens;
}

async function readBody(body: unknown, request: LanguageRequest, state: State): Promise<Asked> {
  const read = readCompletion(body);
  await state.ledger.enterTokens(read.tokens ?? tokensOf(request));
  if (read.kind === "text") {
    state.failures = 0;
    return read;
  }
  state.failures += 1;
  return { kind: "failed", failure: read.failure, message: read.message };
}

/** `undefined`: do not try again. */
function waitOf(
  result: FailedCall,
  tries: number,
  system: OpenAiModelOptions["system"],
): number | undefined {
  if (!result.isRetryable) return undefined;
  const told = retryAfterMs(result.headers, system.wallNow());
  // Stretched by up to a half: many processes that one server turned away must not come back at once.
  const wait = told ?? 1000 * 2 ** (tries - 1) * (1 + jitterOf(system.randomToken()) / 2);
  return wait > LONGEST_WAIT_MS ? undefined : wait;
}
