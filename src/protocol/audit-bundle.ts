// What checking an exported audit says.

export interface BundleVerdict {
  readonly ok: boolean;
  readonly constellation: string;
  readonly count: number;
  readonly anchors: number;
  readonly anchored_seq: number;
  readonly signed: number;
  readonly unsigned: number;
  readonly broken_at: number | null;
  readonly problem: string | null;
}
