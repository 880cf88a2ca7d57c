import { createMemoryScheduleInstaller } from "../../../src/adapters/memory/memory-schedule-installer.ts";
import { testScheduleInstaller } from "../../contracts/schedule-installer.ts";

testScheduleInstaller("memory", async () => createMemoryScheduleInstaller());
