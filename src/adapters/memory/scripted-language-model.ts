import type { LanguageModel, LanguageReply, LanguageRequest } from "../../ports/language-model.ts";

export interface ScriptedLanguageModel extends LanguageModel {
  /** What it was asked, in order. */
  readonly asked: readonly LanguageRequest[];
}

/** Answers from a script, one entry a request; a text stands for a good reply. Asked for more, it is unreachable. */
export function createScriptedLanguageModel(
  script: readonly (string | Extract<LanguageReply, { kind: "failed" }>)[],
): ScriptedLanguageModel {
  const asked: LanguageRequest[] = [];
  return {
    id: "scripted/model",
    asked,
    use: () => ({ model: "scripted/model", calls: asked.length, cached: 0, tokens: 0 }),
    complete: async (request, signal) => {
      signal.throwIfAborted();
      const entry = script[asked.length];
      asked.push(request);
      if (entry === undefined) {
        return { kind: "failed", failure: "unreachable", message: "the script is over" };
      }
      if (typeof entry !== "string") return entry;
      const reply = { id: `reply-${asked.length}`, model: "scripted/model", completionTokens: 12 };
      return { kind: "reply", text: entry, reply };
    },
  };
}
