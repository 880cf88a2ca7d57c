import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { manifestText } from "../../scripts/embedding-table/manifest.ts";

test("the assets are the ones whose sums the manifest holds", async () => {
  const manifest = new URL("../../assets/manifest.json", import.meta.url);
  expect(await manifestText()).toBe(await readFile(manifest, "utf8"));
});

test("the table's header names the sums of its files", async () => {
  const read = async (name: string) =>
    JSON.parse(await readFile(new URL(`../../assets/${name}`, import.meta.url), "utf8"));
  const { sha256 } = await read("static-embedding/header.json");
  const manifest = await read("manifest.json");
  for (const [file, sum] of Object.entries(sha256)) {
    expect(manifest[`static-embedding/${file}`]).toBe(sum);
  }
});
