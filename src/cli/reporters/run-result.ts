import type { RunReport } from "../../model/run-report.ts";
import type { CommandResult, ExitCode } from "../command-context.ts";
import { runDocument } from "./run-document.ts";
import { runText } from "./run-text.ts";

/** A run as a command's answer. */
export function runResult(report: RunReport): CommandResult {
  return {
    // Made when it is asked for: of a large run it is as large as the run, and text needs none of it.
    get document() {
      return runDocument(report);
    },
    text: (paint) => runText(report, paint),
    exitCode: exitCodeOfRun(report),
    isIdle: isIdle(report),
  };
}

function exitCodeOfRun({ run }: RunReport): ExitCode {
  switch (run.status) {
    case "completed":
      return 0;
    case "interrupted":
      return 130;
    case "running":
    case "failed":
      return 1;
  }
}

/** Nothing was done, nothing failed, nothing new waits, nothing is out of order: a nightly mail about it would only be noise. */
function isIdle({ agents, run, alarms = [] }: RunReport): boolean {
  return (
    run.status === "completed" &&
    alarms.length === 0 &&
    Object.values(agents).every((agent) => agent.planned === 0 && agent.failed === 0)
  );
}
