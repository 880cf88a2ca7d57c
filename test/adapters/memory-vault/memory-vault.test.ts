import { createMemoryVault } from "../../../src/adapters/memory/memory-vault.ts";
import { testNoteVault } from "../../contracts/note-vault.ts";

testNoteVault("memory", async () => createMemoryVault());
