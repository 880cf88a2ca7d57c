/**
 * Turns text into unit vectors. Implementations must be deterministic for one `id`: the id names model, table version and
 * dimensions, so equal ids mean comparable vectors.
 */
export interface Embedder {
  /** For example `static-wordnet-256@1`. Stored beside every vector. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * Whether vectors of the embedder with this id are computed anew wherever they are met, without asking: only for one that costs next
   * to nothing. Absent: never; another id is another model, and its vectors wait for `reembed`.
   */
  readonly replaces?: (id: string) => boolean;
  /**
   * One unit-length vector a text, in order; a text without any known token gives the zero vector, which callers must
   * treat as "no vector". Fails with `SlowwaveError("embedder")`.
   */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}
