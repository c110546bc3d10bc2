// The owner's way to let a text pass that looks as if it held a secret. The daemon takes it from nobody else, and records it.

import type { CommandInput } from "./command.ts";

export const allowSecretFlag = {
  "allow-secret": { summary: "Send it although it looks as if it held a secret (owner only; recorded)" },
} as const;

/** Part of any operation's input: the daemon reads it beside what the operation declares. */
export function allowSecret(input: CommandInput): object {
  return input.has("allow-secret") ? { allow_secret: true } : {};
}
