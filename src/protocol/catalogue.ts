// Every refusal a user can meet: its exit code, what it means, and what to do about it, by subject in refusals/. Doors map
// codes, never wording. docs/reference/errors.md is generated from this table.

import { a2aRefusals } from "./refusals/a2a.ts";
import { meshRefusals } from "./refusals/mesh.ts";
import { meshItemRefusals } from "./refusals/mesh-items.ts";
import { agentsRefusals } from "./refusals/agents.ts";
import { forgesRefusals } from "./refusals/forges.ts";
import { houseRefusals } from "./refusals/house.ts";
import { nightRefusals } from "./refusals/night.ts";
import { observedRefusals } from "./refusals/observed.ts";
import { releaseRefusals } from "./refusals/release.ts";
import { tasksRefusals } from "./refusals/tasks.ts";
import { toldRefusals } from "./refusals/told.ts";
import { trustRefusals } from "./refusals/trust.ts";
import { usageRefusals } from "./refusals/usage.ts";
import type { CatalogueEntry } from "./refusals/entry.ts";

const entries = {
  ...usageRefusals,
  ...houseRefusals,
  ...agentsRefusals,
  ...observedRefusals,
  ...tasksRefusals,
  ...toldRefusals,
  ...nightRefusals,
  ...trustRefusals,
  ...forgesRefusals,
  ...releaseRefusals,
  ...a2aRefusals,
  ...meshRefusals,
  ...meshItemRefusals,
} as const;

export type RefusalCode = keyof typeof entries;
export const catalogue: Readonly<Record<RefusalCode, CatalogueEntry>> = entries;
