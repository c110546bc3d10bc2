// Refusals about permission requests, schedules and the owner's replies.

import type { CatalogueEntry } from "./entry.ts";

export const nightRefusals = {
  "approval.unknown": {
    exit: "refused",
    means: "No permission request has this id, or more than one.",
    hint: "`constel approvals` lists those that wait.",
  },
  "approval.over": {
    exit: "refused",
    means: "The permission request was answered, timed out, or its agent no longer asks.",
    hint: "`constel approvals ls --all` says what became of it.",
  },
  "permission.not-yours": {
    exit: "refused",
    means: "An agent asked for permission in another agent's name.",
    hint: "An agent asks for itself; leave out the name.",
  },
} as const satisfies Record<string, CatalogueEntry>;
