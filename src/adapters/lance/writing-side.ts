/** What only a store that is written to needs, models and their schemas with it. */

export { commitPuts } from "./commit.ts";
export { dropHistory } from "./drop-history.ts";
export { acquireLease, releaseLease } from "./lease.ts";
export { maintainStore } from "./maintain.ts";
export { purgeRecords } from "./purge.ts";
export { reembedMemories } from "./reembed.ts";
