// Declares what the catalogue says of a refusal.

import type { exitCodes } from "../exit-codes.ts";

export interface CatalogueEntry {
  exit: keyof typeof exitCodes;
  means: string;
  hint: string;
}
