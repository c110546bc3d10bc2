// What must be known to keep the commands of a repository (its gate, its set-up) in a sandbox where its authors are in one.

export interface EnclosureWish {
  readonly home: string;
  readonly root: string;
  /** Every clone is confined, whether or not one runs now. */
  readonly isAlways: boolean;
  /** What the owner lets confined agents read besides. */
  readonly reads: readonly string[];
}
