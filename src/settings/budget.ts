// The settings about what one question about a repository may take.

import type { BudgetWish } from "../protocol/check.ts";
import type { Config } from "./declarations.ts";

export function budgetWish({ config }: { readonly config: Config }): BudgetWish {
  return { holdMs: config["sense.hold_seconds"] * 1_000, memoryBytes: config["sense.memory_mb"] * 1024 * 1024 };
}
