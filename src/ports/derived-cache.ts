/**
 * Results of pure computations, kept from one run to the next and keyed by content, so that a run costs what changed. Whoever reads one
 * must come to the same answer without it: it may be deleted at any time, and never holds what a memory says.
 */
export interface DerivedCache {
  /**
   * What was last written under this name on the same basis. `undefined` where there is nothing, where it was made on another basis, and
   * where it is damaged, of which a person is told.
   */
  read(name: string, basis: string): Promise<Uint8Array | undefined>;
  /**
   * Replaces what is there, in one step. `basis` names everything besides the keyed contents that the results depend on. A failure is told
   * to a person and does not throw: it costs the next run time, and this one nothing.
   */
  write(name: string, basis: string, bytes: Uint8Array): Promise<void>;
}
