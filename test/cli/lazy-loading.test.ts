import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Packages that a module loads with its static imports, its own modules' included; types and `import()` load nothing. */
function packagesLoadedBy(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  const source = readFileSync(file, "utf8");
  for (const [, names = "", specifier = ""] of source.matchAll(
    /^(?:import|export)\s+(?!type\b)([^;]*?)\s*from\s+"([^"]+)"/gm,
  )) {
    const typesAlone = /^\{[^}]*\}$/.test(names) && !/[{,]\s*(?!type\b)\w/.test(names);
    if (typesAlone) continue;
    if (!specifier.startsWith(".")) packages.add(specifier);
    else {
      const next = path.resolve(path.dirname(file), specifier);
      for (const name of packagesLoadedBy(next, seen)) packages.add(name);
    }
  }
  return packages;
}

test("help and version load commander and Node's own modules, nothing else", () => {
  const loaded = [...packagesLoadedBy(path.resolve("src/cli/main.ts"))];
  expect(loaded.filter((name) => !name.startsWith("node:"))).toEqual(["commander"]);
});

test("the check above sees what is loaded", () => {
  const loaded = packagesLoadedBy(path.resolve("src/config/check-config.ts"));
  expect([...loaded]).toContain("zod");
});

test("recall loads LanceDB when it opens the store, and neither zod nor YAML nor cron nor git", () => {
  const recall = ["cli/commands/recall", "wire", "config/load-config", "adapters/lance/uses"];
  const vault = ["adapters/obsidian/note-vault", "adapters/git/version-control"];
  const files = [...recall, ...vault].map((file) => `src/${file}.ts`);
  const loaded = new Set(files.flatMap((file) => [...packagesLoadedBy(path.resolve(file))]));
  expect([...loaded].filter((name) => !name.startsWith("node:"))).toEqual([]);
});

test("what recall asks of the store loads nothing that writes to it", () => {
  const seen = new Set<string>();
  for (const file of ["search", "vector-state", "to-memory-store"]) {
    packagesLoadedBy(path.resolve(`src/adapters/lance/${file}.ts`), seen);
  }
  expect(seen.size).toBeGreaterThan(10);
  expect([...seen].filter((file) => /(commit|touched-rows|check-puts)\.ts$/.test(file))).toEqual(
    [],
  );
});
