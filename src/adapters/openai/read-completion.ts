import { z } from "zod";
import type { LanguageFailure } from "../../ports/language-model.ts";

/** Servers that count in fractions or below zero do not count. */
const count = z.int().min(0).catch(0);

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: count.nullish(),
      completion_tokens: count.nullish(),
      total_tokens: count.nullish(),
    })
    .nullish(),
});

/** As the server counted; absent where it did not say. */
export interface TokenCounts {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
}

export type ReadCompletion = (
  | { readonly kind: "text"; readonly text: string; readonly counts: TokenCounts }
  | { readonly kind: "failed"; readonly failure: LanguageFailure; readonly message: string }
) & { readonly tokens: number | undefined };

/** Only a reply that its server calls finished, and that holds something, is one. */
export function readCompletion(body: unknown): ReadCompletion {
  const parsed = completionSchema.safeParse(body);
  const choice = parsed.data?.choices[0];
  const tokens = totalOf(parsed.data?.usage);
  const failed = (failure: LanguageFailure, message: string): ReadCompletion => ({
    kind: "failed",
    failure,
    message,
    tokens,
  });
  if (choice === undefined) return failed("bad_response", "the reply is no chat completion");
  const { message, finish_reason: finish } = choice;
  if (message.refusal) return failed("refusal", "the model refused");
  if (finish === "content_filter") return failed("refusal", "the reply was filtered");
  if (finish !== "stop")
    return failed("truncated", `the reply ended with "${finish ?? "nothing"}"`);
  const text = message.content?.trim() ?? "";
  if (text === "") return failed("empty", "the reply is empty");
  return { kind: "text", text, tokens, counts: countsOf(parsed.data?.usage) };
}

type Usage = z.infer<typeof completionSchema>["usage"];

function totalOf(usage: Usage): number | undefined {
  const sum = (usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0);
  return Math.max(usage?.total_tokens ?? 0, sum) || undefined;
}

function countsOf(usage: Usage): TokenCounts {
  return {
    ...(usage?.prompt_tokens ? { promptTokens: usage.prompt_tokens } : {}),
    ...(usage?.completion_tokens ? { completionTokens: usage.completion_tokens } : {}),
  };
}
