import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Who may import whom. Files directly in src/ count as folders of their own name. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  text: [],
  model: ["text"],
  similarity: ["model", "text"],
  ports: ["model"],
  agents: ["model", "text", "similarity", "ports"],
  scheduler: ["model", "ports", "similarity"],
  adapters: ["model", "text", "ports"],
  intake: ["model", "text", "ports"],
  config: ["model"],
  "wire.ts": [
    ...["text", "model", "similarity", "ports", "agents", "scheduler"],
    ...["adapters", "intake", "config", "api", "wire"],
  ],
  wire: [
    ...["text", "model", "similarity", "ports", "agents", "scheduler"],
    ...["adapters", "config"],
  ],
  api: [
    "text",
    "model",
    "similarity",
    "ports",
    "agents",
    "scheduler",
    "intake",
    "config",
    "wire.ts",
  ],
  cli: [
    ...["text", "model", "similarity", "ports", "agents", "scheduler"],
    ...["intake", "config", "api", "wire.ts", "index.ts"],
  ],
  "index.ts": [
    ...["text", "model", "similarity", "ports", "agents", "scheduler"],
    ...["intake", "config", "api", "wire.ts"],
  ],
};

const SRC = path.resolve(import.meta.dirname, "../src");
const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => path.join(SRC, file));

function folderOf(file: string): string {
  return path.relative(SRC, file).split(path.sep)[0] ?? "";
}

function relativeImports(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from\s*|import\(\s*|import\s+)"(\.[^"]+)"/g)].map(
    ([, specifier = ""]) => path.resolve(path.dirname(file), specifier),
  );
}

test("every folder of src has a rule", () => {
  expect([...new Set(files.map(folderOf))].filter((folder) => !(folder in MAY_IMPORT))).toEqual([]);
});

test.each(Object.keys(MAY_IMPORT))("src/%s imports only what it may", (folder) => {
  const allowed = new Set([folder, ...(MAY_IMPORT[folder] ?? [])]);
  const broken = files
    .filter((file) => folderOf(file) === folder)
    .flatMap((file) =>
      relativeImports(file)
        .filter((to) => !allowed.has(folderOf(to)))
        .map((to) => `${path.relative(SRC, file)} -> ${path.relative(SRC, to)}`),
    );
  expect(broken).toEqual([]);
});

test("no adapter imports another, so that each can be replaced alone", () => {
  const adapters = path.join(SRC, "adapters");
  const adapterOf = (file: string) => path.relative(adapters, file).split(path.sep)[0];
  const broken = files
    .filter((file) => file.startsWith(adapters + path.sep))
    .flatMap((file) =>
      relativeImports(file)
        .filter((to) => to.startsWith(adapters + path.sep) && adapterOf(to) !== adapterOf(file))
        .map((to) => `${path.relative(SRC, file)} -> ${path.relative(SRC, to)}`),
    );
  expect(broken).toEqual([]);
});

/** Wall clock and chance make a plan differ from run to run: only adapters may touch them. */
test.each(["Date.now()", "Math.random()", "randomUUID()", "new Date()"])(
  "%s appears only in adapters",
  (call) => {
    const users = files
      .filter((file) => folderOf(file) !== "adapters")
      .filter((file) => withoutComments(readFileSync(file, "utf8")).includes(call))
      .map((file) => path.relative(SRC, file));
    expect(users).toEqual([]);
  },
);

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}
