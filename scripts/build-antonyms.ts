/** Makes assets/antonyms.json anew from WordNet: `npx tsx scripts/build-antonyms.ts` */
import { writeFile } from "node:fs/promises";
import { antonymsText } from "./embedding-table/find-antonyms.ts";

await writeFile(new URL("../assets/antonyms.json", import.meta.url), await antonymsText());
