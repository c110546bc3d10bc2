// The flag that names one of the owner's accounts.

import type { FlagDeclaration } from "./input/command-shape.ts";

export const accountFlag = {
  summary: "One of your further accounts of its program (agents.accounts), or `usual` for the program's own",
  value: "NAME",
} as const satisfies FlagDeclaration;
