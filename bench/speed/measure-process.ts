import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Of a process, from its start to its end, all threads together. */
export interface ProcessCost {
  readonly wallS: number;
  readonly cpuS: number;
  readonly peakMemoryMb: number;
  readonly stdout: string;
}

/** Writes down at its end what the process took. As a data URL it costs no file to load. */
const REPORT_USAGE = `data:text/javascript,${encodeURIComponent(
  'import { writeFileSync } from "node:fs"; process.on("exit", () => writeFileSync(process.env.BENCH_USAGE, JSON.stringify(process.resourceUsage())));',
)}`;

/** Runs node with these arguments. @throws Error where it fails, with what it said. */
export async function measureNode(args: readonly string[], cwd: string): Promise<ProcessCost> {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-bench-"));
  const usageFile = path.join(folder, "usage.json");
  try {
    const start = performance.now();
    const stdout = await run(["--import", REPORT_USAGE, ...args], { cwd, usageFile });
    const wallS = (performance.now() - start) / 1000;
    const usage: NodeJS.ResourceUsage = JSON.parse(await readFile(usageFile, "utf8"));
    const cpuS = (usage.userCPUTime + usage.systemCPUTime) / 1e6;
    return { wallS, cpuS, peakMemoryMb: usage.maxRSS / 1024, stdout };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The run with the middle processor time of several: one that another program disturbed does not count. */
export async function measureOften(
  times: number,
  measure: () => Promise<ProcessCost>,
): Promise<ProcessCost> {
  const costs: ProcessCost[] = [];
  // In turn: they would compete for the processors.
  for (let run = 0; run < times; run++) costs.push(await measure());
  const middle = costs.sort((a, b) => a.cpuS - b.cpuS)[Math.floor(times / 2)];
  if (middle === undefined) throw new RangeError("measured no run");
  return middle;
}

async function run(
  args: readonly string[],
  { cwd, usageFile }: { readonly cwd: string; readonly usageFile: string },
): Promise<string> {
  const env = { ...process.env, BENCH_USAGE: usageFile };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  if (code === 0) return out.join("");
  throw new Error(
    `node ${args.slice(2).join(" ")} ended with ${code}: ${err.join("").slice(-2000)}`,
  );
}
