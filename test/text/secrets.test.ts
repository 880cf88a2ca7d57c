import fc from "fast-check";
import { expect, test } from "vitest";
import { findSecrets } from "../../src/text/secrets.ts";

// Put together here so that no scanner, ours included, takes this file for a leak.
const join = (...parts: string[]) => parts.join("");
const RANDOM = "q7Zr2Xk9Lm4Tn8Vb3Wc6Yd1Fs5Gh0Jp2Ra7Ue";

test.each([
  ["aws_key", join("AKIA", "Q3EGZ7XWPLM5T2VB")],
  ["github_token", join("ghp", "_", RANDOM.slice(0, 36))],
  ["github_token", join("github", "_pat_", RANDOM)],
  ["gitlab_token", join("glpat", "-", RANDOM.slice(0, 20))],
  ["slack_token", join("xoxb", "-123456789012-", RANDOM.slice(0, 24))],
  ["openai_key", join("sk", "-proj-", RANDOM)],
  ["anthropic_key", join("sk", "-ant-api03-", RANDOM)],
  ["google_key", join("AI", "za", RANDOM.slice(0, 35))],
  ["stripe_key", join("sk", "_live_", RANDOM.slice(0, 24))],
  ["npm_token", join("npm", "_", RANDOM.slice(0, 36))],
  ["jwt", join("eyJhbGciOiJIUzI1NiJ9", ".", "eyJzdWIiOiIxMjM0NTYifQ", ".", RANDOM)],
  [
    "private_key",
    join(
      "-----BEGIN RSA PRIVATE",
      " KEY-----\nMIIE",
      RANDOM,
      "\n-----END RSA PRIVATE",
      " KEY-----",
    ),
  ],
  ["private_key", join("-----BEGIN OPENSSH PRIVATE", " KEY-----\nb3Bl", RANDOM)],
  ["high_entropy", RANDOM],
] as const)("findSecrets finds a %s", (kind, token) => {
  const text = `The deploy uses ${token} today.`;
  const [found, ...others] = findSecrets(text);
  expect(found?.kind).toBe(kind);
  expect(text.slice(found?.start, found?.end)).toContain(token.slice(0, 20));
  expect(others).toEqual([]);
});

test.each([
  [join("DB_PASS", "WORD=hunter", "22"), join("hunter", "22")],
  [join('"apiKey": "', "a8f5k2l9q0", '"'), "a8f5k2l9q0"],
  [join("the pass", "word for root is s3cr", "et!Horse."), join("s3cr", "et!Horse")],
  [join("postgres://kim:", "tr0ub4dor", "@db.example/app"), "tr0ub4dor"],
  [join("redis://:", "p4ssw0rd9", "@cache:6379"), "p4ssw0rd9"],
])("findSecrets finds the value in %j", (text, value) => {
  expect(findSecrets(text).map(({ start, end }) => text.slice(start, end))).toEqual([value]);
});

test.each([
  "The database password is stored in Vault.",
  "Passwords must be rotated every month.",
  "password: <your password>",
  "Set PASSWORD=$DB_PASSWORD first.",
  "apiKey: process.env.API_KEY",
  "token: string",
  "The token limit is 4096.",
  "postgres://user:password@localhost/app",
  "fixed in 3f2a9bc41d5e6f708192a3b4c5d6e7f801234567",
  "id 550e8400-e29b-41d4-a716-446655440000",
  "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  `"integrity": "sha512-${"Ab3".repeat(24)}=="`,
  "see src/adapters/lance/createLanceStoreForTests2024.ts",
  "https://example.com/a/Very/Long/Path/With/Numbers/20241231/And/More",
  "AbstractSingletonProxyFactoryBean2000Configuration",
  "The user's key concern is cost.",
])("findSecrets finds nothing in %j", (text) => {
  expect(findSecrets(text)).toEqual([]);
});

test("findSecrets finds nothing in words", () => {
  const word = fc.constantFrom(
    "the",
    "User",
    "likes",
    "Postgres",
    "42",
    "v1.2.3",
    "and",
    "deploys",
    "on",
    "Friday",
    "us-east-1",
    "README.md",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      expect(findSecrets(words.join(" "))).toEqual([]);
    }),
  );
});

test("findSecrets finds a random token wherever it stands between words", () => {
  const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789".split("");
  const token = fc.shuffledSubarray(alphabet, { minLength: 40 }).map((letters) => letters.join(""));
  fc.assert(
    fc.property(token, (value) => {
      fc.pre(/\d.*\d/u.test(value) && !/(?:[A-Z][a-z]{3,}){3}/u.test(value));
      const text = `it is ${value} now`;
      expect(findSecrets(text)).toEqual([
        { kind: "high_entropy", start: 6, end: 6 + value.length },
      ]);
    }),
  );
});
