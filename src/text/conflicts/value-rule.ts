import type { Span } from "../spans.ts";
import type { Conflict } from "./conflict.ts";
import { type Pair, placeIn } from "./pair.ts";
import type { Statement } from "./statement.ts";
import { conflictKindOf, groupOf, isSameValue, subjectOfValue, type Value } from "./values.ts";

/**
 * The same thing with another number, day, hour, version or identifier. A value that only one text gives is more detail,
 * not a conflict.
 */
export function findValueConflicts(pair: Pair): readonly Conflict[] {
  const groups = new Set(pair.a.values.map(groupOf));
  const conflicts = [...groups].flatMap((group) => compareGroup(pair, group));
  return conflicts.length > 0 ? conflicts : findSingulars(pair);
}

function compareGroup(pair: Pair, group: string): Conflict[] {
  const inA = pair.a.values.filter((value) => groupOf(value) === group);
  const inB = pair.b.values.filter((value) => groupOf(value) === group);
  const rivals = inA.flatMap((value) => rivalsOfSameSubject(value, inB));
  if (rivals.length > 0) return rivals.map(([a, b]) => claim(pair, { a, b, confidence: 0.9 }));
  const onlyA = inA.filter((value) => !inB.some((other) => isSameValue(value, other)));
  const onlyB = inB.filter((value) => !inA.some((other) => isSameValue(value, other)));
  const [a] = onlyA;
  const b = onlyB.find((value) => a !== undefined && mayMeasureTheSame(a, value)) ?? onlyB[0];
  return a === undefined || b === undefined ? [] : [compareRest(pair, a, b)];
}

/** "2 cats and 3 dogs" against "3 cats and 2 dogs": the numbers are the same, what they count is not. */
function rivalsOfSameSubject(value: Value, others: readonly Value[]): (readonly [Value, Value])[] {
  const subject = subjectOfValue(value);
  const rivals = others.filter(
    (other) => subject !== undefined && subjectOfValue(other) === subject,
  );
  const [rival] = rivals;
  return rival === undefined || rivals.some((other) => isSameValue(value, other))
    ? []
    : [[value, rival]];
}

function compareRest(pair: Pair, a: Value, b: Value): Conflict {
  if (isPartOfTheOther(a, b)) {
    return doubt(
      pair,
      a,
      b,
      `"${a.span.text}" and "${b.span.text}" overlap without being the same days`,
    );
  }
  if (!mayMeasureTheSame(a, b)) {
    return doubt(pair, a, b, `"${a.span.text}" and "${b.span.text}" may count different things`);
  }
  const { overlap } = pair.difference;
  return claim(pair, { a, b, confidence: overlap >= 0.5 ? 0.85 : overlap >= 0.2 ? 0.7 : 0.5 });
}

function mayMeasureTheSame(a: Value, b: Value): boolean {
  const [subjectA, subjectB] = [subjectOfValue(a), subjectOfValue(b)];
  const isCount = a.type === "quantity" && a.quantity.dimension === "count";
  return !isCount || subjectA === undefined || subjectB === undefined || subjectA === subjectB;
}

function isPartOfTheOther(a: Value, b: Value): boolean {
  if (a.type !== "weekday" || b.type !== "weekday") return false;
  const [days, others] = [a.weekday.days, b.weekday.days];
  return days.every((day) => others.includes(day)) || others.every((day) => days.includes(day));
}

function claim(
  pair: Pair,
  { a, b, confidence }: { readonly a: Value; readonly b: Value; readonly confidence: number },
): Conflict {
  return {
    kind: conflictKindOf(a),
    a: placeIn(pair.a, a.span),
    b: placeIn(pair.b, b.span),
    confidence,
    reason: `"${a.span.text}" is not "${b.span.text}"`,
  };
}

function doubt(pair: Pair, a: Value, b: Value, reason: string): Conflict {
  return {
    kind: "unsure",
    a: placeIn(pair.a, a.span),
    b: placeIn(pair.b, b.span),
    confidence: 0.4,
    reason,
  };
}

/** "a dog" against "two dogs". */
function findSingulars(pair: Pair): Conflict[] {
  return [
    ...singularsAgainst(pair.a, pair.b).map(([single, many]) =>
      singularConflict(placeIn(pair.a, single), placeIn(pair.b, many)),
    ),
    ...singularsAgainst(pair.b, pair.a).map(([single, many]) =>
      singularConflict(placeIn(pair.a, many), placeIn(pair.b, single)),
    ),
  ];
}

function singularConflict(a: Span, b: Span): Conflict {
  return { kind: "quantity", a, b, confidence: 0.6, reason: `"${a.text}" is not "${b.text}"` };
}

function singularsAgainst(one: Statement, many: Statement): (readonly [Span, Span])[] {
  return many.values.flatMap((value) => {
    const counted = subjectOfValue(value);
    if (counted === undefined || !isPluralCount(value, many, counted)) return [];
    const single = one.words.find(
      (word, index) => word.fold === counted && isSingleArticle(one, index),
    );
    const isCountedToo = one.values.some((other) => subjectOfValue(other) === counted);
    return single === undefined || isCountedToo ? [] : [[single, value.span] as const];
  });
}

/** "two dogs"; not "port 80" or "number 3", where the word names what the number labels. */
function isPluralCount(value: Value, { words }: Statement, counted: string): boolean {
  const isCount =
    value.type === "quantity" && value.quantity.dimension === "count" && value.quantity.value >= 2;
  return isCount && words.some((word) => word.lemma === counted && word.fold !== counted);
}

function isSingleArticle(statement: Statement, index: number): boolean {
  const before = statement.words.slice(Math.max(0, index - 2), index).map((word) => word.fold);
  return before.some((word) => word === "a" || word === "an" || word === "single");
}
