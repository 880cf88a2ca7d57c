/** Where long work says how far it is. Implementations must never write to stdout. */
export interface Progress {
  /** `total` absent: unknown. */
  start(task: string, total?: number): void;
  /** `done`: how much of the total by now, not since the last call. */
  advance(task: string, done: number): void;
  finish(task: string): void;
  /** A line for a person, about something noticed on the way. */
  note(message: string): void;
}
