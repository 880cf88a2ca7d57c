/** Vectors of one model by their text: what a dry run computed, the live run reads, in whichever process. */
export interface VectorCache {
  read(text: string): Promise<Float32Array | undefined>;
  write(text: string, vector: Float32Array): Promise<void>;
}
