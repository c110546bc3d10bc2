// The verbs of constel that a schedule may run. It runs them as the owner, so only those that give out and land work, say something on
// the timeline, or arm another schedule; and only what is asked of the daemon, which knows the process that it started for it.

const verbs = new Set([
  "announce",
  "cron add",
  "cron pause",
  "cron remove",
  "cron resume",
  "cron run",
  "loop create",
  "loop pause",
  "loop remove",
  "loop resume",
  "loop run",
  "morning",
  "task cancel",
  "task create",
  "task dispatch",
  "task harvest",
  "task update",
]);

export const allowedVerb = (words: readonly string[]): boolean =>
  verbs.has(words.slice(0, 2).join(" ")) || verbs.has(words[0] ?? "");
