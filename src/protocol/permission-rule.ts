// A rule about permissions, as it was read from where it stands.

export type Decision = "allow" | "ask" | "deny";

export type Rule = {
  readonly decision: Decision;
  /** The place where it stands, for people: `config.toml:12`. */
  readonly from: string;
  /** False for rules that agents could have written: they may forbid and ask, never allow. */
  readonly trusted: boolean;
} & (
  | { readonly tool: string; readonly command?: undefined; readonly path?: undefined }
  | { readonly command: readonly string[]; readonly tool?: undefined; readonly path?: undefined }
  | {
      readonly path: string;
      /** Undefined: reading and editing. */
      readonly action?: "read" | "edit" | undefined;
      readonly tool?: undefined;
      readonly command?: undefined;
    }
);
