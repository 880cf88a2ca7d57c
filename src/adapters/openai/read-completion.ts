import { z } from "zod";
import type { LanguageFailure } from "../../ports/language-model.ts";

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z.object({ total_tokens: z.number().min(0) }).nullish(),
});

export type ReadCompletion =
  | { readonly kind: "text"; readonly text: string; readonly tokens: number | undefined }
  | {
      readonly kind: "failed";
      readonly failure: LanguageFailure;
      readonly message: string;
      readonly tokens: number | undefined;
    };

/** Only a reply that its server calls finished, and that holds something, is one. */
export function readCompletion(body: unknown): ReadCompletion {
  const parsed = completionSchema.safeParse(body);
  const choice = parsed.data?.choices[0];
  const tokens = parsed.data?.usage?.total_tokens;
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
  return text === "" ? failed("empty", "the reply is empty") : { kind: "text", text, tokens };
}
