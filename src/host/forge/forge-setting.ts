// What the owner's settings say of a forge, and what the machine lends to those who talk with one.

import type { Clock, Processes } from "../../ports/machine.ts";

export interface ForgeSetting {
  /** As it stands in the origin's address; with its port where that has one. */
  readonly host: string;
  readonly kind?: string;
  readonly api?: string;
  readonly token_file?: string;
  readonly token_command?: string;
  readonly command?: string;
  readonly repository?: string;
}

export interface ForgesOptions {
  readonly settings: readonly ForgeSetting[];
  readonly processes: Processes;
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
  readonly deadlineMs?: number;
  /** For all calls that one question takes together. */
  readonly wholeMs?: number;
  /** Instead of any other way to one. Empty: none is sent, as anybody may ask. */
  readonly token?: string;
}
