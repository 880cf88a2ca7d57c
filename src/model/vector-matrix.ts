/** Row-major unit vectors: row i is `data[i * dimensions … (i + 1) * dimensions - 1]`. An all-zero row means "no vector". */
export interface VectorMatrix {
  readonly rows: number;
  readonly dimensions: number;
  readonly data: Float32Array;
}
