// Refusals about permission requests, schedules and the owner's replies.

import type { CatalogueEntry } from "./entry.ts";

export const nightRefusals = {
  "attention.unknown": {
    exit: "refused",
    means: "Nothing with this key needs the owner now.",
    hint: "`constel attention --snoozed` shows the keys.",
  },
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
    means: "An agent asked for permission in another agent's name, or by a request that was made for something else.",
    hint: "An agent asks for itself, and anew for each thing; leave out the name.",
  },
  "reply.unknown-sender": {
    exit: "refused",
    means: "A reply came from somebody who is not on the owner's list; an empty list is nobody.",
    hint: "Add them to `replies.senders` in config.toml, such as `webhook:phone`.",
  },
  "schedule.unknown": {
    exit: "refused",
    means: "No cron or loop has this name.",
    hint: "`constel cron list` and `constel loop list` show them.",
  },
  "schedule.exists": {
    exit: "refused",
    means: "A cron or loop of this name exists already.",
    hint: "Take another name, or remove the old one first.",
  },
  "schedule.not-accepted": {
    exit: "refused",
    means:
      "The line was written into cron.toml by hand. Any process of the account can do that, so it fires only after the owner has accepted it.",
    hint: "`constel cron accept` shows such lines and accepts them; `constel cron remove` takes one out.",
  },
  "schedule.changed": {
    exit: "refused",
    means: "The line of cron.toml was changed between being shown and being accepted; nothing was accepted.",
    hint: "Run `constel cron accept` again and read the line as it stands now.",
  },
  "schedule.not-yours": {
    exit: "refused",
    means:
      "A clone tried to reschedule a loop that is not its own, or to remove a schedule that it did not open itself.",
    hint: "Ask the root: `constel channel send agent0 <text>`.",
  },
  "schedule.own-work": {
    exit: "refused",
    means:
      "A clone may open loops on its own work: they tell that clone something, run no command, belong to a task in hand and are bounded in number, period, firings and life.",
    hint: "For anything else ask the root: `constel channel send agent0 <text>`.",
  },
  "schedule.bad-verb": {
    exit: "usage",
    means:
      "A schedule runs prompts and a few verbs: those that give out and land tasks, announce something, or arm another schedule.",
    hint: "Begin the action with an agent's name for a prompt, or with a verb such as `task dispatch` or `task harvest`.",
  },
} as const satisfies Record<string, CatalogueEntry>;
