import { expect, test } from "vitest";
import { extractIdentifiers, mayBeSameVersion } from "../../src/text/identifiers.ts";

test.each([
  ["Deploy v1.2 to us-east-1.", ["version 1.2", "code us-east-1"]],
  ["Python 3.11 and 3.11.4", ["version 3.11", "version 3.11.4"]],
  ["an A100, not an A10", ["code a100", "code a10"]],
  ["garage B", ["letter b"]],
  ["see https://a.example/x/ now", ["url https://a.example/x"]],
  ["mail kim.lee@a.example.", ["email kim.lee@a.example"]],
  ["edit src/app.ts and ~/.bashrc", ["path src/app.ts", "path ~/.bashrc"]],
  ["at commit 3f2a9bc", ["hash 3f2a9bc"]],
  ["call +1 555-123-4567", ["phone +15551234567"]],
  ["fixes #123", ["code #123"]],
])("extractIdentifiers reads %j", (text, expected) => {
  expect(extractIdentifiers(text).map(({ kind, value }) => `${kind} ${value}`)).toEqual(expected);
});

test.each([
  "10mg",
  "the 3rd",
  "12k users",
  "a 2-wheeled cart",
  "16GB",
  "5pm",
  "a 10-year-old",
  "Kim and I",
  "left-handed",
  "The user moved.",
])("extractIdentifiers finds nothing in %j", (text) => {
  expect(extractIdentifiers(text)).toEqual([]);
});

test("mayBeSameVersion lets a version go on where the other stops", () => {
  expect(mayBeSameVersion("3.11", "3.11.4")).toBe(true);
  expect(mayBeSameVersion("3.1", "3.11")).toBe(false);
});
