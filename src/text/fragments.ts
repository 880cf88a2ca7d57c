import { splitSentences } from "./sentences.ts";
import { wordTokens } from "./tokens.ts";

export type PromotionProblem =
  | "empty"
  | "raw_metadata"
  | "shell_transcript"
  | "heartbeat"
  | "chatter"
  | "question"
  | "fragment";

/**
 * Whether a text can stand as a note of its own. Refused are half sentences, shell transcripts and stack traces, data
 * dumps, reports that nothing happened, small talk, and questions without an answer. Errs towards "ok": a refused memory
 * stays a memory, but a person has to ask for its note.
 */
export function promotionLint(text: string): "ok" | { readonly reason: PromotionProblem } {
  const trimmed = text.trim();
  const reason = CHECKS.find(([, isProblem]) => isProblem(trimmed))?.[0];
  return reason === undefined ? "ok" : { reason };
}

// The order decides which reason a person reads where several hold.
const CHECKS: readonly (readonly [PromotionProblem, (text: string) => boolean])[] = [
  ["empty", (text) => !/[\p{L}\p{N}]/u.test(text)],
  ["raw_metadata", isRawMetadata],
  ["shell_transcript", isShellTranscript],
  ["heartbeat", isHeartbeat],
  ["chatter", isChatter],
  ["question", isOnlyQuestions],
  ["fragment", isFragment],
];

function isRawMetadata(text: string): boolean {
  if (
    /^(?:\{[\s\S]*[:}][\s\S]*|\[\s*(?:\{|"|\d|\[)[\s\S]*\])$/u.test(text) &&
    !/^\[[^\]]*\]\(/u.test(text)
  )
    return true;
  if (/^<(?:\?xml|!doctype|\w+[^>]*>[\s\S]*<\/\w+>$)/iu.test(text)) return true;
  const lines = linesOf(text);
  return (
    lines.length > 0 &&
    lines.filter((line) => DATA_LINE.test(line)).length / lines.length > MAJORITY
  );
}

/** `id=42 score=0.7`, `"key": 1,`, `created_at: 2025-03-02T…`, log lines, a long blob of base64. */
const DATA_LINE =
  /^(?:[\w.-]+=\S+(?:[\s,;]+[\w.-]+=\S+)*|"[\w.-]+"\s*:\s.*|[[\]{}],?|(?:id|uuid|score|strength|vector|embedding|hash|checksum|created_at|updated_at|last_used|use_count|revision|confidence)\s*[:=]\s*[\w.:+-]+|\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}[^ ]* +\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b.*|[A-Za-z0-9+/]{80,}={0,2}|(?:-?\d+\.\d+[,\s]+){3,}.*)$/iu;
const MAJORITY = 0.5;

function isShellTranscript(text: string): boolean {
  const lines = linesOf(text.replace(/^(?:```|~~~)\w*\n([\s\S]*?)\n(?:```|~~~)$/u, "$1"));
  const prompts = lines.filter((line) => PROMPT.test(line)).length;
  const traces = lines.filter((line) => TRACE.test(line)).length;
  return (
    (prompts > 0 && (PROMPT.test(lines[0] ?? "") || prompts / lines.length > 0.3)) ||
    traces >= 2 ||
    traces / lines.length > MAJORITY
  );
}

const PROMPT =
  /^(?:(?:\([\w.-]+\)\s)?(?:[\w.-]+@[\w.-]+[:\s][^\s$#%]*)?[$#%]\s(?=[a-z./~_])(?!\w+\s*$)|(?:PS )?[A-Z]:\\[^>]*>\s?\S|>>>\s|➜\s)/u;
const TRACE =
  /^(?:at [\w.<>$ [\]]+ \(?.*:\d+:\d+\)?$|File "[^"]+", line \d+|Traceback \(most recent call last\)|npm (?:ERR!|error|WARN)|\+\+\+ |--- a\/|@@ -\d|(?:Error|TypeError|ReferenceError|SyntaxError|ValueError|KeyError|Exception): |exit(?:ed with)? (?:code|status) \d+|[a-z]+: command not found|(?:drwx|-rw-)[rwx-]+)/u;

/** A report that nothing happened, however it is dressed. */
function isHeartbeat(text: string): boolean {
  const sentences = splitSentences(text);
  return (
    sentences.length <= MAXIMUM_HEARTBEAT &&
    sentences.every((sentence) => HEARTBEAT.test(sentence) || isSmallTalk(sentence)) &&
    HEARTBEAT.test(text)
  );
}

const MAXIMUM_HEARTBEAT = 3;
const HEARTBEAT =
  /\bheartbeat(?:[_ -]?ok)?\b|\b(?:nothing|no(?:thing)?) (?:new|else|further|to report|changed|happened|notable|of note)\b|\bno (?:new |further )?(?:changes?|updates?|messages?|activity|events?|issues?|findings|memories|alerts?|action (?:needed|required))(?: (?:to report|found|detected|since|today|yet|this|at this time|needed))?\s*[.!]?$|\b(?:all|everything) (?:is |looks |systems |services |checks? )*(?:normal|nominal|fine|ok|okay|good|quiet|green|passed|operational)\b|\b(?:still|up and) (?:running|alive|idle|waiting)\s*[.!]?$|^(?:status|health)\s*[:=]\s*(?:ok|okay|green|healthy|up)\b|\bstatus unchanged\b|\broutine check\b/iu;

function isChatter(text: string): boolean {
  const sentences = splitSentences(text.replace(/^\p{Lu}[\p{L}\p{N}_-]{0,20}:\s+/u, ""));
  return sentences.length > 0 && sentences.every(isSmallTalk);
}

function isSmallTalk(sentence: string): boolean {
  if (sentence.length > MAXIMUM_SMALL_TALK) return false;
  // Names are marked first, since the pattern below ignores case and could not tell them from other words.
  const marked = sentence.replace(/^[\s"'“(]+/u, "").replace(/(?<=[\s,])\p{Lu}\p{Ll}+/gu, "@");
  return SMALL_TALK.test(marked);
}

const MAXIMUM_SMALL_TALK = 200;

const ADDRESS =
  "(?:[\\s,]+(?:again|there|everyone|all|guys|team|so much|a lot|very much|@|man|dear|too|then|for (?:that|this|asking|the help|your help)))*";
const SMALL_TALK = new RegExp(
  `^(?:(?:hi|hey|hello|howdy|yo|greetings|good (?:morning|afternoon|evening|night)|welcome(?: back)?|bye|goodbye|see you(?: later| soon| tomorrow)?|take care|thanks|thank you|thx|cheers|you(?:'|’)?re welcome|no (?:problem|worries)|my pleasure|sure(?: thing)?|ok|okay|k|got it|sounds (?:good|great)|(?:that(?:'|’)?s )?(?:great|awesome|nice|cool|perfect|amazing|wonderful|lovely|fine)|wow|yes|yeah|yep|yup|no|nope|lol|haha+|hmm+|oh|ah|right|exactly|absolutely|definitely|of course|agreed|congrats|congratulations|sorry|please|let me know(?: if .*)?|(?:i )?hope (?:you(?:'|’)?re|all is|that helps|this helps).*|nice to (?:meet|see) you|good to (?:see|hear)(?: from)? you|how are you(?: doing)?(?: today)?|how(?:'|’)?s it going|how have you been|what(?:'|’)?s (?:up|new)|long time no (?:see|talk)|happy to help|glad to hear(?: it| that)?|talk to you (?:later|soon)|have a (?:nice|good|great) .*|is there anything else .*|(?:can|may|how can) i (?:help|assist) you.*)${ADDRESS}[\\s,.!?~\\p{Extended_Pictographic}\\ufe0f]*)+$`,
  "iu",
);

function isOnlyQuestions(text: string): boolean {
  const sentences = splitSentences(text.replace(/^\p{Lu}[\p{L}\p{N}_-]{0,20}:\s+/u, ""));
  const telling = sentences.filter((sentence) => !isSmallTalk(sentence) || sentence.endsWith("?"));
  return telling.length > 0 && telling.every((sentence) => /[?？؟]["'”’)\]]*$/u.test(sentence));
}

/** Cut off in front or behind, or too little to mean something. */
function isFragment(text: string): boolean {
  if (
    /^(?:[,;:)\]}…]|\.{2,}|(?:and|but|or|because|which|whose|than|then|so that|as well as)\b)/u.test(
      text,
    )
  )
    return true;
  if (
    /(?:[,;:–—([{&+=]|\s-|\b(?:the|a|an|of|to|and|or|but|with|for|from|in|on|at|by|because|that|which|is|are|was|were|their|his|her|my|your|if|when|than|as))$/u.test(
      text,
    )
  )
    return true;
  return wordTokens(text).length < MINIMUM_WORDS;
}

const MINIMUM_WORDS = 3;

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
