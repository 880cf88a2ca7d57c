import { createRequire } from "node:module";
import path from "node:path";

/** Absolute path of a file that ships with the package. Asked by the package's own name, as bundled modules lie elsewhere than their sources. */
export function packagePath(...parts: readonly string[]): string {
  const manifest = createRequire(import.meta.url).resolve("slowwave/package.json");
  return path.join(path.dirname(manifest), ...parts);
}
