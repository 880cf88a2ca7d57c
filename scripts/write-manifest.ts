/** Writes down the SHA-256 of every asset that is made rather than written: `npx tsx scripts/write-manifest.ts` */
import { writeFile } from "node:fs/promises";
import { manifestText } from "./embedding-table/manifest.ts";

await writeFile(new URL("../assets/manifest.json", import.meta.url), await manifestText());
