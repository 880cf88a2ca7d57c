import { DAY_MS } from "../../src/model/instant.ts";
import type { Memory } from "../../src/model/memory.ts";
import { aMemory, aUse } from "../builders.ts";
import { NOW, type StoreContent } from "./stores.ts";

/** Something for each agent: to forget, to merge, to dispute, to promote, to link. */
export const CONTENT: StoreContent = {
  memories: [
    old("faded-1", "The badge printer on the third floor jams on Fridays."),
    old("faded-2", "The cafeteria closes early in August."),
    old("faded-3", "Somebody left a red umbrella in the lobby."),
    ...["copy-1", "copy-2", "copy-3"].map((id) =>
      young(id, "The ledger service writes a snapshot to Postgres every night.", ["Postgres"]),
    ),
    ...["twin-1", "twin-2"].map((id) => young(id, "Mira deploys with Helm.", ["Mira", "Helm"])),
    young("retry-5", "The retry limit of the ledger service is 5.", ["Postgres"]),
    young("retry-8", "The retry limit of the ledger service is 8.", ["Postgres"]),
    young("mira-1", "Mira prefers tabs over spaces in Go files.", ["Mira", "Go"]),
    young("mira-2", "Mira reviews each change of the gateway before noon.", ["Mira", "Go"]),
    young("helm-1", "Helm charts live in the deploy repository.", ["Helm", "Mira"]),
    young("go-1", "Go builds run on the blue runners, since they have more memory.", [
      "Go",
      "Helm",
    ]),
  ],
  uses: ["copy-1", "copy-2", "mira-1", "mira-2", "helm-1", "go-1", "retry-5"].flatMap((memoryId) =>
    [1, 2, 3, 4, 5, 6].map((day) =>
      aUse({ id: `${memoryId}-${day}`, memoryId, at: NOW - day * DAY_MS }),
    ),
  ),
};

function old(id: string, content: string): Memory {
  return aMemory({ id, content, createdAt: NOW - 40 * DAY_MS, strength: 0.3 });
}

function young(id: string, content: string, entities: readonly string[]): Memory {
  return aMemory({ id, content, entities, tags: ["work"], createdAt: NOW - 10 * DAY_MS });
}
