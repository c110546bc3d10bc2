// The owner's way to let a text pass that looks as if it held a secret. The daemon takes it from nobody else, and records it.

export const allowSecretFlag = {
  "allow-secret": { summary: "Send it even if it looks as though it contains a secret (owner only; recorded)" },
} as const;
