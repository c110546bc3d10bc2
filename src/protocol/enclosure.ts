// Declares what must be known to keep the commands of a repository (its gate, its set-up) in a sandbox where its authors are in one.

export interface EnclosureWish {
  readonly home: string;
  readonly root: string;
  /** Every clone is confined, whether or not one runs now. */
  readonly isAlways: boolean;
  /** The other paths that the owner lets confined agents read. */
  readonly reads: readonly string[];
}
