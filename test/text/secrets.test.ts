import fc from "fast-check";
import { expect, test } from "vitest";
import { findSecrets } from "../../src/text/secrets.ts";
import { KNOWN_SECRETS, NAMED_SECRETS } from "../known-secrets.ts";

test.each(KNOWN_SECRETS)("findSecrets finds a %s", (kind, token) => {
  const text = `The deploy uses ${token} today.`;
  const [found, ...others] = findSecrets(text);
  expect(found?.kind).toBe(kind);
  expect(text.slice(found?.start, found?.end)).toContain(token.slice(0, 20));
  expect(others).toEqual([]);
});

test.each(NAMED_SECRETS)("findSecrets finds the value in %j", (text, value) => {
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
  "Basic internationalization is done.",
  "The bearer of news arrived on day 12345678901234567890.",
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
