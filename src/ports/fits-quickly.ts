import type { z } from "zod";

type Test = (value: unknown) => boolean;

/**
 * True only of values that the schema takes. Zod copies whatever it checks, which for a commit of thousands of records costs several times
 * the check. False says nothing: the schema itself is then to be asked, and tells why.
 */
export function fitsQuickly(schema: z.core.$ZodType, value: unknown): boolean {
  return testOf(schema)(value);
}

const tests = new WeakMap<z.core.$ZodType, Test>();

function testOf(schema: z.core.$ZodType): Test {
  const known = tests.get(schema);
  if (known !== undefined) return known;
  const test = createTest(schema);
  tests.set(schema, test);
  return test;
}

/** For what the model's schemas are made of. */
function createTest(schema: z.core.$ZodType): Test {
  // Every schema is of one of these classes, which zod's types do not say; their `def` tells which.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "string":
      return "format" in def ? NEVER : textTest(boundsOf(def.checks));
    case "number":
      return numberTest(def, boundsOf(def.checks));
    case "boolean":
      return (value) => typeof value === "boolean";
    case "null":
      return (value) => value === null;
    case "enum":
    case "literal":
      return oneOf(schema._zod.values);
    case "array":
      return def.checks === undefined ? arrayTest(testOf(def.element)) : NEVER;
    case "object":
      return def.checks === undefined && def.catchall === undefined ? objectTest(def) : NEVER;
    case "record":
      return def.checks === undefined ? recordTest(def) : NEVER;
    case "union":
      return unionTest(def);
    case "nullable":
      return nullOr(testOf(def.innerType));
    case "optional":
    case "readonly":
      return testOf(def.innerType);
    case "lazy":
      return (value) => testOf((schema as z.core.$ZodLazy)._zod.innerType)(value);
    default:
      return NEVER;
  }
}

const NEVER: Test = () => false;

function oneOf(values: ReadonlySet<unknown> | undefined): Test {
  return (value) => values?.has(value) === true;
}

function nullOr(test: Test): Test {
  return (value) => value === null || test(value);
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Of a number, or of a text's length; undefined where more is asked than bounds. */
function boundsOf(checks: readonly z.core.$ZodCheck<never>[] = []): Bounds | undefined {
  let [least, most] = [-Infinity, Infinity];
  for (const check of checks) {
    // As above: every check is one of these.
    const { def } = (check as unknown as z.core.$ZodChecks)._zod;
    if (def.check === "min_length") least = Math.max(least, def.minimum);
    else if (def.check === "max_length") most = Math.min(most, def.maximum);
    else if (def.check === "greater_than" && def.inclusive)
      least = Math.max(least, Number(def.value));
    else if (def.check === "less_than" && def.inclusive) most = Math.min(most, Number(def.value));
    else return undefined;
  }
  return { least, most };
}

function textTest(bounds: Bounds | undefined): Test {
  if (bounds === undefined) return NEVER;
  const { least, most } = bounds;
  return (value) => typeof value === "string" && value.length >= least && value.length <= most;
}

function numberTest(def: z.core.$ZodNumberDef, bounds: Bounds | undefined): Test {
  const format = "format" in def ? def.format : undefined;
  if (bounds === undefined || (format !== undefined && format !== "safeint")) return NEVER;
  const { least, most } = bounds;
  const isKind = format === undefined ? Number.isFinite : Number.isSafeInteger;
  return (value) => typeof value === "number" && isKind(value) && value >= least && value <= most;
}

function arrayTest(test: Test): Test {
  return (value) => {
    if (!Array.isArray(value)) return false;
    // Not `every`, which passes over holes.
    for (const item of value) if (!test(item)) return false;
    return true;
  };
}

function objectTest({ shape }: z.core.$ZodObjectDef): Test {
  const fields = Object.entries(shape).map(([name, field]) => {
    return { name, isOptional: field._zod.optin === "optional", test: testOf(field) };
  });
  return (value) => {
    if (!isObject(value)) return false;
    return fields.every(({ name, isOptional, test }) => {
      const field = value[name];
      return field === undefined ? isOptional && !(name in value) : test(field);
    });
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function recordTest({ keyType, valueType }: z.core.$ZodRecordDef): Test {
  // Keys that are listed must all be there.
  if (keyType._zod.def.type !== "string") return NEVER;
  const [isKey, test] = [testOf(keyType), testOf(valueType)];
  return (value) => {
    if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return false;
    return Reflect.ownKeys(value).every((key) => isKey(key) && test(value[String(key)]));
  };
}

function unionTest(def: z.core.$ZodUnionDef): Test {
  // With `inclusive: false` only one may fit; with a discriminator no two can.
  if (def.inclusive === false && !("discriminator" in def)) return NEVER;
  const options = def.options.map(testOf);
  return (value) => options.some((test) => test(value));
}
