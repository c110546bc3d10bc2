// The verbs of constel that a schedule may run. It runs them as the owner, so only those that give out and land work, tell somebody,
// or arm another schedule.

const verbs = new Set([
  "announce",
  "channel send",
  "cron add",
  "cron pause",
  "cron remove",
  "cron resume",
  "cron run",
  "escalate",
  "loop create",
  "loop pause",
  "loop remove",
  "loop resume",
  "loop run",
  "restart",
  "task cancel",
  "task create",
  "task dispatch",
  "task harvest",
  "task update",
  "up",
]);

export const allowedVerb = (words: readonly string[]): boolean =>
  verbs.has(words.slice(0, 2).join(" ")) || verbs.has(words[0] ?? "");
