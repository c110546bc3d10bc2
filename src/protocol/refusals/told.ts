// Refusals about published events, decisions and memory.

import type { CatalogueEntry } from "./entry.ts";

export const toldRefusals = {
  "event.no-audience": {
    exit: "usage",
    means: "The event is addressed to nobody, or only to agents that do not exist or to its own publisher.",
    hint: "Name agents (--to), or paths, topics, services, a capability or a task that it concerns.",
  },
  "event.bad-fields": {
    exit: "usage",
    means: "The event lacks a field that its type requires, or has one that its type does not know.",
    hint: "`constel publish --help` lists the types and their fields.",
  },
  "decision.unknown": {
    exit: "usage",
    means: "There is no decision with this id, or its end fits more than one.",
    hint: "`constel decision ls --all` lists them with their ids.",
  },
  "decision.owners": {
    exit: "refused",
    means: "The owner recorded or accepted this decision; only the owner may replace or reject it.",
    hint: "Ask the owner, or record a draft beside it that says why it should change.",
  },
  "decision.not-allowed": {
    exit: "refused",
    means: "The decision's state, or who recorded it, does not allow this.",
    hint: "`constel decision show <id>` says where it stands; record a new one instead.",
  },
  "memory.unknown": {
    exit: "usage",
    means: "Nothing remembered has this id, or its end fits more than one.",
    hint: "`constel memory recall` lists what is remembered.",
  },
  "memory.not-yours": {
    exit: "refused",
    means: "An agent changes and forgets only what it remembered itself.",
    hint: "Ask whoever remembered it, the root or the owner.",
  },
  "memory.no-file": {
    exit: "usage",
    means: "A memory can rest on a file only where a watched worktree has it.",
    hint: "`constel repo ls --worktrees` lists what is watched; name a file in one of them.",
  },
  "memory.full": {
    exit: "refused",
    means: "Whoever asks has remembered, or pinned, as much as one may.",
    hint: "`constel memory forget <id>` makes room; `constel memory pin <id> --off` unpins.",
  },
} as const satisfies Record<string, CatalogueEntry>;
