import { z } from "zod";

const tokens = z.int().min(0);

/** A reply of a language model that a step was made of. Tokens as its server counted them; absent where it did not say. */
export const modelReplySchema = z.object({
  /** Follows from the request: the same question has the same reply. */
  id: z.string(),
  /** For example `groq/llama-3.1-8b-instant`. */
  model: z.string(),
  promptTokens: tokens.exactOptional(),
  completionTokens: tokens.exactOptional(),
});
export type ModelReply = Readonly<z.infer<typeof modelReplySchema>>;

/** What one run asked of a language model. */
export const modelUseSchema = z.object({
  model: z.string(),
  /** Requests that left the process, tries included. */
  calls: tokens,
  /** Replies that an earlier run had paid for. */
  cached: tokens,
  /** Of the calls; estimated where the server did not count. */
  tokens,
});
export type ModelUse = Readonly<z.infer<typeof modelUseSchema>>;
