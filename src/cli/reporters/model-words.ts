import type { ModelReply, ModelUse } from "../../model/model-reply.ts";
import { printable } from "../paint.ts";

/** `language model groq/llama: 2 calls, 1 reply kept from before, 640 tokens`; nothing where it was not needed. */
export function modelUseLines(use: ModelUse | undefined): readonly string[] {
  if (use === undefined || use.calls + use.cached === 0) return [];
  const { model, calls, cached, tokens } = use;
  const kept = cached === 0 ? [] : [`${counted(cached, "reply", "replies")} kept from before`];
  const words = [counted(calls, "call"), ...kept, counted(tokens, "token")];
  return [`language model ${printable(model)}: ${words.join(", ")}`];
}

/** `reply 3f9a2c61b0de of groq/llama, 120 tokens in, 45 out` */
export function replyWords({ id, model, promptTokens, completionTokens }: ModelReply): string {
  const tokens =
    promptTokens === undefined && completionTokens === undefined
      ? ""
      : `, ${promptTokens ?? "?"} tokens in, ${completionTokens ?? "?"} out`;
  return `reply ${printable(id.slice(0, 12))} of ${printable(model)}${tokens}`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
