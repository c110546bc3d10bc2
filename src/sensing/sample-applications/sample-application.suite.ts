// Describes a sample application: its files, its routes, and what changes to it do.

export interface SampleApplication {
  readonly framework: string;
  readonly files: Readonly<Record<string, string>>;
  /** Every operation, sorted. */
  readonly operations: readonly string[];
  /** Changes of one file: what is replaced by what, and what that does, as `rule path`. */
  readonly changes: readonly {
    readonly what: string;
    readonly file: string;
    readonly from: string;
    readonly to: string;
    readonly breaks: readonly string[];
  }[];
}
