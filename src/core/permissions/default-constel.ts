// constel's own verbs that an agent may use unasked. Whether the verb itself lets that agent do it is decided where it runs; here
// it is only decided that nobody has to be asked first.

import type { Place } from "./rule.ts";
import type { Opinion } from "./opinion.ts";

const everybody = [
  "status",
  "plan",
  "agents",
  "agent show",
  "conflicts",
  "check",
  "try",
  "query",
  "explain",
  "events",
  "why",
  "doctor",
  "session up",
  "session down",
  "channel send",
  "channel drain",
  "channel ls",
  "channel threads",
  "channel history",
  "task show",
  "task list",
  "task next",
  "task queue",
  "task ready",
  "claim add",
  "claim ls",
  "claim drop",
  "repo ls",
  "workspace ls",
  "cron list",
  "cron show",
  "loop list",
  "loop show",
  "loop reschedule",
  "quiet show",
  "approvals ls",
  "approvals check",
  "cost",
  "handoffs ls",
  "handoffs show",
  "keys ls",
  "owner directives",
  "audit verify",
];
const root = [
  "task create",
  "task update",
  "task dispatch",
  "task harvest",
  "task cancel",
  "workspace clone",
  "workspace branch",
  "escalate",
  "quiet",
  "agent",
  "announce",
];
const watchdog = ["down", "agent", "agentinfinity", "restart", "escalate", "quiet"];

/** They run the repository's code, write files, or change what constel is: asked, whatever the verb. */
const askedFlags = [
  "--set",
  "--gate",
  "--save",
  "--fix",
  "--force",
  "--out",
  "--output",
  "--home",
  "--config",
  "--allow-secret",
];

export function constelVerb(words: readonly (string | undefined)[], role: Place["role"]): Opinion {
  const [, ...given] = words;
  const allowed =
    role === "root" ? [...everybody, ...root] : role === "watchdog" ? [...everybody, ...watchdog] : everybody;
  const verb = [given.slice(0, 2).join(" "), given[0] ?? ""].find((name) => allowed.includes(name));
  if (given[0] === "--version" || given[0] === "--help") return { allow: "constel's verbs for agents" };
  if (verb === undefined || given[0] === undefined) return { ask: "it is not one of constel's verbs for agents" };
  // Words of a message may hold anything, a value that is not known might be a flag.
  const rest = given.slice(verb.split(" ").length);
  if (rest.some((word) => word === undefined)) return { ask: "not all of its words are written out" };
  const flag = rest.find((word) => askedFlags.some((one) => word === one || word?.startsWith(`${one}=`) === true));
  if (flag !== undefined) return { ask: `${flag} is not for agents unasked` };
  return { allow: "constel's verbs for agents" };
}
