import fc from "fast-check";
import { expect, test } from "vitest";
import { extractQuantities, isSameAmount } from "../../src/text/quantities.ts";

function read(text: string): string[] {
  return extractQuantities(text).map(
    ({ dimension, value, unit, of }) =>
      `${dimension} ${Number(value.toPrecision(12))}${unit}${of === undefined ? "" : ` ${of}`}`,
  );
}

test.each([
  ["It needs 3 workers.", ["count 3 worker"]],
  ["It needs twenty-five workers.", ["count 25 worker"]],
  ["two hundred and ten users", ["count 210 user"]],
  ["a dozen eggs", ["count 12 egg"]],
  ["a couple of servers", ["count 2 server"]],
  ["The budget is $2,500.", ["money 2500USD"]],
  ["It cost EUR 12k.", ["money 12000EUR cost"]],
  ["It cost 12,000 euros.", ["money 12000EUR cost"]],
  ["between £20-25", ["money 20GBP", "money 25GBP"]],
  ["3 to 5 km away", ["length 3000m", "length 5000m away"]],
  ["revenue of 3.5 million dollars", ["money 3500000USD"]],
  ["5 mg of lisinopril", ["mass 0.005g lisinopril"]],
  ["500 µg", ["mass 0.0005g"]],
  ["a 5m timeout", ["duration 300s timeout"]],
  ["5 m of cable", ["length 5m cable"]],
  ["90 minutes", ["duration 5400s"]],
  ["16GB of RAM", ["data 17179869184byte ram"]],
  ["98.6 °F", ["temperature 37°C"]],
  ["it was -5 °C", ["temperature -5°C"]],
  ["12% done", ["percent 12% do"]],
  ["12 percent", ["percent 12%"]],
  ["rated 4 out of 5", ["ratio 0.8"]],
  ["the second attempt", ["ordinal 2 attempt"]],
  ["the 3rd attempt", ["ordinal 3 attempt"]],
  ["on port 8080 only", ["count 8080 port"]],
  ["an iPhone 14 Pro", ["count 14 iphone"]],
  ["one hour", ["duration 3600s"]],
])("extractQuantities reads %j", (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  "on 15 Oct 2025",
  "at 9:40 AM",
  "twice a week",
  "every 5 minutes",
  "version 3.2",
  "v1.2.3 and 3.11.4",
  "an A100 in us-east-1",
  "no one knows",
  "one of them left",
  "a second later",
  "call +1 555-123-4567",
  "src/v2/app.ts",
])("extractQuantities leaves alone %j", (text) => {
  expect(read(text)).toEqual([]);
});

test.each([
  ["60 seconds", "1 minute"],
  ["5 km", "5000 metres"],
  ["1 GB", "1024 MB"],
  ["12k euros", "€12,000"],
  ["thirty days", "30 days"],
  ["98.6 °F", "37 °C"],
  ["about 100 users", "105 users"],
  ["half of the team", "0.5"],
])("isSameAmount holds for %j and %j", (a, b) => {
  const [first] = extractQuantities(a);
  const [second] = extractQuantities(b);
  expect(first && second && isSameAmount(first, second)).toBe(true);
});

test.each([
  ["5 km", "5 miles"],
  ["100 users", "105 users"],
  ["5 mg", "5 µg"],
  ["about 100 users", "200 users"],
])("isSameAmount fails for %j and %j", (a, b) => {
  const [first] = extractQuantities(a);
  const [second] = extractQuantities(b);
  expect(first && second && isSameAmount(first, second)).toBe(false);
});

test("extractQuantities finds any count where it stands", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 999_999_999 }), (count) => {
      const written = count.toLocaleString("en-US");
      const text = `The queue holds ${written} jobs.`;
      const [quantity] = extractQuantities(text);
      expect(quantity?.value).toBe(count);
      expect(text.slice(quantity?.start, quantity?.end)).toBe(written);
    }),
  );
});
