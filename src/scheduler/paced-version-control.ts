import type { VersionControl } from "../ports/version-control.ts";
import type { Pacer } from "./pacer.ts";

/** Git commands leave the process, so the rate limit counts them. */
export function paceVersionControl(
  inner: VersionControl,
  pacer: Pacer,
  signal: AbortSignal,
): VersionControl {
  const paced = async <T>(work: () => Promise<T>): Promise<T> => {
    await pacer.take(signal);
    return await work();
  };
  const { push } = inner;
  return {
    state: () => paced(() => inner.state()),
    hasRun: (runId) => paced(() => inner.hasRun(runId)),
    commit: (commit) => paced(() => inner.commit(commit)),
    ...(push ? { push: () => paced(push) } : {}),
  };
}
