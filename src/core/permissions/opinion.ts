// Holds what the defaults know of a command's surroundings, and what they may say of it.

import type { ShellWord } from "../../protocol/shell-script.ts";

/** A default's answer about a command: nothing against it, the reason why it is asked, or that it depends on paths. */
export type Opinion =
  | {
      readonly allow: string;
      readonly reads?: readonly ShellWord[];
      readonly edits?: readonly ShellWord[];
      readonly descends?: boolean;
    }
  | { readonly ask: string };

/** The places where a command may run, and what runs beside it. */
export interface Standing {
  readonly places: readonly string[];
  /** Everything beside it only looks, or is the owner's choice: what a directory holds is the same when the command runs. */
  readonly calm: boolean;
}
