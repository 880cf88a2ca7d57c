import fc from "fast-check";
import { expect, test } from "vitest";
import { promotionLint } from "../../src/text/fragments.ts";

test.each([
  "The user prefers dark mode in their editor.",
  "Deploys happen every Friday at 16:00 UTC.",
  "Timezone: Europe/Berlin since the move.",
  "Run `npm ci` before the tests, or native modules break.",
  "i moved to oslo in may",
  "User asked: why is the build slow? The cause was a cold Docker cache.",
  "用户喜欢喝茶。",
  "Thanks to Kim, the invoices are now sent automatically.",
  "No updates are installed during the freeze in December.",
  "Everything is stored in Postgres, and nothing is cached.",
  "The $ sign marks a price in the CSV.",
  "- buy milk on Monday\n- call the bank on Tuesday",
  "The config is { retries: 3 } in every service.",
  "[Setup guide](docs/setup.md) explains the first start.",
])("promotionLint accepts %j", (text) => {
  expect(promotionLint(text)).toBe("ok");
});

test.each([
  ["empty", "  \n"],
  ["empty", "---"],
  ["raw_metadata", '{"id": "m1", "score": 0.7}'],
  ["raw_metadata", '[{"role": "user"}, {"role": "assistant"}]'],
  ["raw_metadata", "id=42 score=0.71 use_count=3"],
  ["raw_metadata", "created_at: 2025-03-02\nuse_count: 3\nstrength: 1.0"],
  [
    "raw_metadata",
    "2025-03-02T10:00:00Z INFO worker started\n2025-03-02T10:00:01Z INFO worker ready",
  ],
  ["raw_metadata", "<config><retries>3</retries></config>"],
  ["shell_transcript", "$ npm test\n12 passing"],
  ["shell_transcript", "kim@web-3:~$ sudo systemctl restart nginx"],
  ["shell_transcript", "```\n$ git status\nOn branch main\n```"],
  [
    "shell_transcript",
    "TypeError: x is not a function\n    at run (/srv/app.js:10:5)\n    at main (/srv/app.js:20:3)",
  ],
  ["heartbeat", "Nothing new to report."],
  ["heartbeat", "Heartbeat check: all systems normal."],
  ["heartbeat", "HEARTBEAT_OK"],
  ["heartbeat", "Hi! No new messages."],
  ["chatter", "Hey! How are you?"],
  ["chatter", "Thanks so much, Kim!"],
  ["chatter", "Ok, sounds good."],
  ["chatter", "Ann: Bye, Bo!"],
  ["question", "Which database does the project use?"],
  ["question", "Hi! Can you recommend a book about Rome?"],
  ["fragment", "and then it failed on the second try"],
  ["fragment", "The deploy failed because of the"],
  ["fragment", "The steps are:"],
  ["fragment", ", which was fixed later"],
  ["fragment", "dark mode"],
] as const)("promotionLint refuses as %s %j", (reason, text) => {
  expect(promotionLint(text)).toEqual({ reason });
});

test("promotionLint answers for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const verdict = promotionLint(text);
      expect(verdict === "ok" || typeof verdict.reason === "string").toBe(true);
    }),
  );
});
