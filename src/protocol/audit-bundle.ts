// Declares what a check of an exported audit says.

export interface BundleVerdict {
  readonly ok: boolean;
  readonly constellation: string;
  /** The constellation's first key, by which signatures name it: compare it with `constel keys ls`, a forged bundle has another. */
  readonly key: string | null;
  readonly count: number;
  readonly anchors: number;
  readonly anchored_seq: number;
  readonly signed: number;
  readonly unsigned: number;
  readonly broken_at: number | null;
  readonly problem: string | null;
}
