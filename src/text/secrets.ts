import { matchSpans, overlaps, readMatches, type Span } from "./spans.ts";

export type SecretKind =
  | "private_key"
  | "aws_key"
  | "github_token"
  | "gitlab_token"
  | "slack_token"
  | "openai_key"
  | "anthropic_key"
  | "google_key"
  | "stripe_key"
  | "npm_token"
  | "huggingface_token"
  | "sendgrid_key"
  | "telegram_token"
  | "service_token"
  | "jwt"
  | "authorization_header"
  | "connection_password"
  | "labelled_secret"
  | "high_entropy";

/** Where a credential stands. The value is left out on purpose: reports must not repeat it. */
export interface Secret {
  readonly kind: SecretKind;
  readonly start: number;
  readonly end: number;
}

/**
 * Credentials in a text: tokens of known vendors, private keys, passwords that are named as such or stand in connection
 * strings, and long random strings. Git commits, UUIDs, digests and placeholders are not secrets.
 */
export function findSecrets(text: string): readonly Secret[] {
  if (!MAY_HOLD_SECRETS.test(text)) return [];
  const found: (Secret & Span)[] = [];
  const add = (kind: SecretKind, span: Span) => {
    if (!found.some((other) => overlaps(other, span))) found.push({ kind, ...span });
  };
  for (const [kind, pattern] of VENDOR_FORMATS) {
    for (const span of matchSpans(text, pattern)) add(kind, span);
  }
  for (const [kind, pattern] of NAMED_VALUES) {
    readMatches(text, pattern, (match) => addGroup(match, (span) => add(kind, span)));
  }
  readMatches(text, SPOKEN, (match) => {
    if (isRandomLooking(match.groups?.value ?? ""))
      addGroup(match, (span) => add("labelled_secret", span));
  });
  for (const span of matchSpans(text, LONG_TOKEN))
    if (isHighEntropy(text, span)) add("high_entropy", span);
  return found
    .sort((a, b) => a.start - b.start)
    .map(({ kind, start, end }) => ({ kind, start, end }));
}

/**
 * What every pattern below asks for somewhere: a long run without a space, an address, or a word that announces a secret. Most texts have
 * none of them, and twenty patterns are slow to find nothing. The two letters are those that `k` and `s` match beyond ASCII under `iu`,
 * which would be four times slower.
 */
const MAY_HOLD_SECRETS =
  /(?<!\S)\S{15}|:\/\/|-----BEGIN|[\u017f\u212a]|pass(?:w|phrase)|secret|key|token|credential|pwd|\bpat\b/i;

/** Of services that mark their tokens by a prefix: DigitalOcean, Databricks, Shopify, PyPI, Vault, Groq, Docker, Figma, Sentry, … */
const SERVICE_TOKEN = new RegExp(
  [
    "\\b(?:dop_v1_[a-f0-9]{64}|dapi[a-f0-9]{32}|shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}|key-[a-f0-9]{32}",
    "lin_api_[A-Za-z0-9]{32,}|ntn_[A-Za-z0-9]{40,}|pypi-[\\w-]{50,}|hvs\\.[\\w-]{20,}|gsk_[A-Za-z0-9]{40,}",
    "xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{30,}|GOCSPX-[\\w-]{20,}|dckr_pat_[\\w-]{20,}",
    "sntr(?:ys|yu)_[\\w=+/-]{40,}|sbp_[a-f0-9]{40}|figd_[\\w-]{30,}|xapp-\\d-[A-Za-z0-9-]{20,}|sq0(?:atp|csp)-[\\w-]{22,}",
    "AGE-SECRET-KEY-1[A-Z0-9]{58}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|glrt-[\\w-]{20,}|rubygems_[a-f0-9]{48})",
  ].join("|"),
  "gu",
);

const VENDOR_FORMATS: readonly (readonly [SecretKind, RegExp])[] = [
  [
    "private_key",
    /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$(?![\s\S]))/gu,
  ],
  ["aws_key", /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/gu],
  ["github_token", /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{22,255})\b/gu],
  ["gitlab_token", /\bglpat-[A-Za-z0-9_-]{20,}\b/gu],
  [
    "slack_token",
    /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|https:\/\/hooks\.slack\.com\/services\/T[\w/]{20,}/gu,
  ],
  ["anthropic_key", /\bsk-ant-[A-Za-z0-9_-]{16,}/gu],
  ["openai_key", /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}/gu],
  ["google_key", /\bAIza[A-Za-z0-9_-]{35}(?![\w-])|\bya29\.[A-Za-z0-9_-]{20,}/gu],
  ["stripe_key", /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}\b|\bwhsec_[A-Za-z0-9]{24,}\b/gu],
  ["npm_token", /\bnpm_[A-Za-z0-9]{36}\b/gu],
  ["huggingface_token", /\bhf_[A-Za-z]{30,}\b/gu],
  ["sendgrid_key", /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/gu],
  ["telegram_token", /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/gu],
  ["service_token", SERVICE_TOKEN],
  ["jwt", /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/gu],
];

/** `Authorization: Bearer <here>`. */
const BEARER = /\b(?:Bearer|Basic)\s+(?<value>(?=[^\s]*\d)[A-Za-z0-9._~+/-]{20,}={0,2})/gu;
/** `postgres://kim:<here>@host`. */
const CONNECTION = /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:(?<value>[^\s@/]{3,})@[\w.[-]/giu;

const LABEL =
  "(?:[A-Za-z0-9_-]{0,40}(?:password|passwd|passphrase|secret|api[_ -]?key|access[_ -]?key|auth[_ -]?token|access[_ -]?token|client[_ -]?secret|private[_ -]?key|credential)s?|\\b(?:token|pwd|pat)|[A-Za-z0-9]{1,40}_(?:TOKEN|KEY|PWD))";
/** `DB_PASSWORD=<here>`, `"apiKey": "<here>"`. */
const ASSIGNED = new RegExp(
  `(?<![A-Za-z0-9])${LABEL}["']?\\s*(?:=|:=|:\\s?(?=["'])|:(?=\\S))\\s*["']?(?<value>[^\\s"',;]{4,})`,
  "giu",
);
/** "the password is <here>", "token: <here>": prose, so the value itself must look like one. */
const SPOKEN = new RegExp(
  `(?<![A-Za-z0-9])${LABEL}(?:\\s+for\\s+[\\w.@-]+)?(?:\\s+(?:is|was|to)|\\s*:)\\s+["'\`]?(?<value>[^\\s"'\`,;]{6,})`,
  "giu",
);

const PLACEHOLDER =
  /^(?:[$%{<[(]|\*{2,}|x{3,}|\.{2,}|process\.env|os\.environ|env\.|import\.meta|(?:your|my|the|some|example|dummy|fake|redacted|secret|password|passwd|pass|changeme|placeholder|string|number|boolean|null|none|undefined|true|false|required|optional)(?:$|[^a-z0-9]|[_-].*))/iu;

/** What stands before the value says what it is. */
const NAMED_VALUES: readonly (readonly [SecretKind, RegExp])[] = [
  ["authorization_header", BEARER],
  ["connection_password", CONNECTION],
  ["labelled_secret", ASSIGNED],
];

function addGroup(match: RegExpMatchArray, add: (span: Span) => void): void {
  const value = (match.groups?.value ?? "").replace(/[.)\]}>]+$/u, "");
  if (value.length < MINIMUM_VALUE || PLACEHOLDER.test(value)) return;
  const start = (match.index ?? 0) + match[0].lastIndexOf(value);
  add({ text: value, start, end: start + value.length });
}

const MINIMUM_VALUE = 4;

/** Letters with digits or signs: "hunter2!", not "stored" or "rotated". */
function isRandomLooking(value: string): boolean {
  const bare = value.replace(/[.,)!?]+$/u, "");
  return (
    /[A-Za-z]/u.test(bare) &&
    /[\d!#$%^&*+=~]/u.test(bare) &&
    !/^(?:https?:|\/|[\w.-]+\.\w{2,4}$)/u.test(bare)
  );
}

const LONG_TOKEN = /(?<![\w/+.=@:-])[A-Za-z0-9_+/-]{28,}={0,2}(?![\w/+.@-])/gu;

/** Random strings have letters of both cases and digits all over; names, paths and digests do not. */
function isHighEntropy(text: string, { text: token, start }: Span): boolean {
  const isMixed =
    /[a-z]/u.test(token) && /[A-Z]/u.test(token) && (token.match(/\d/gu) ?? []).length >= 2;
  const isDigest =
    /(?:sha\d+|md5|digest|checksum|hash|integrity|fingerprint|commit)\W{0,3}$/iu.test(
      text.slice(0, start),
    ) || /^sha\d+-/u.test(token);
  const hasWords = /(?:[A-Za-z][a-z]{3,}[-_/]){2}|(?:[A-Z][a-z]{3,}){3}/u.test(token);
  return isMixed && !isDigest && !hasWords && entropyPerCharacter(token) >= MINIMUM_ENTROPY;
}

/** Bits; base64 of random bytes of this length has about 4.4 and more, English words joined together below 4. */
const MINIMUM_ENTROPY = 4.1;

function entropyPerCharacter(token: string): number {
  const counts = new Map<string, number>();
  for (const character of token) counts.set(character, (counts.get(character) ?? 0) + 1);
  return -[...counts.values()].reduce(
    (sum, count) => sum + (count / token.length) * Math.log2(count / token.length),
    0,
  );
}
