// The refusals met over the mesh.

import type { CatalogueEntry } from "./entry.ts";

export const meshItemRefusals = {
  "mesh.too-large": {
    exit: "refused",
    means: "One item for another constellation has more than a mebibyte.",
    hint: "Send less at once, or hand it over as an artefact of a task.",
  },
  "mesh.outbox-full": {
    exit: "refused",
    means: "So much waits for this peer that no more is taken. Nothing that was taken before is lost.",
    hint: "See `constel mesh peers` for why it does not answer, or evict it.",
  },
  "mesh.bad-item": {
    exit: "refused",
    means: "A peer sent something that does not have the shape of what it says it is.",
    hint: "Compare the versions at both ends: constel version.",
  },
} as const satisfies Record<string, CatalogueEntry>;
