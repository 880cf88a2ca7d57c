// Bundles src/ into a few files of dist/: finding, reading and linking seven hundred modules one by one takes node a fifth of a second (measured).
import path from "node:path";
import { rolldown } from "rolldown";

const root = path.resolve(import.meta.dirname, "..");
const src = (/** @type {string} */ file) => path.join(root, "src", file);

const bundle = await rolldown({
  cwd: root,
  input: { index: src("index.ts"), "cli/main": src("cli/main.ts") },
  platform: "node",
  // Node 20 has no `using`.
  transform: { target: "node20" },
  // Packages stay what npm installs; what is imported dynamically stays a file of its own, read by the commands that need it.
  external: /^(?!\.|\/|\0|@oxc-project\/runtime)/,
});
await bundle.write({
  dir: path.join(root, "dist"),
  chunkFileNames: "chunks/[name]-[hash].js",
  sourcemap: true,
});
await bundle.close();
