import type { OutboxItem } from "../model/run.ts";
import type { MemoryStore } from "../ports/memory-store.ts";

/** What a person reads in `git log`: how many notes, and below it what became of them; of an undo, which run it takes back. */
export async function commitMessage(
  item: OutboxItem,
  input: { readonly count: number; readonly store: Pick<MemoryStore, "read"> },
): Promise<string> {
  const { count, store } = input;
  const notes = `${count} ${count === 1 ? "note" : "notes"}`;
  const [run] = await store.read("run", { ids: [item.runId] });
  if (run?.undoes !== undefined) return `Undo run ${run.undoes}: take back ${notes}`;
  const steps = await stepsOf(item, store);
  const body = steps.length === 0 ? "" : `\n\n${steps.join(", ")}`;
  return `Update ${notes} from memory${body}`;
}

/** Steps that write notes, in words; topics and logs are a matter of course. */
const WORDS: readonly (readonly [string, string])[] = [
  ["promote", "promoted"],
  ["update_note", "updated"],
  ["move_note", "moved"],
  ["archive_note", "archived"],
  ["restore_note", "restored"],
];

async function stepsOf(
  { runId, at }: OutboxItem,
  store: Pick<MemoryStore, "read">,
): Promise<readonly string[]> {
  const entries = await store.read("journal", { since: at, state: ["applied"] });
  const actions = entries
    .filter((entry) => entry.runId === runId)
    .flatMap((entry) => entry.steps.map((step) => step.action));
  return WORDS.flatMap(([action, word]) => {
    const count = actions.filter((one) => one === action).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
}
