// constel's own verbs that an agent may use unasked. Whether the verb itself lets that agent do it is decided where it runs; here
// it is only decided that nobody has to be asked first.

import type { ShellWord } from "../../protocol/shell-script.ts";
import type { Opinion } from "./opinion.ts";
import type { Place } from "./rule.ts";

const everybody = [
  "status",
  "plan",
  "agents",
  "agent show",
  "conflicts",
  "notices",
  "notices done",
  "notices subscribe",
  "notices subscriptions",
  "notices unsubscribe",
  "publish",
  "decision add",
  "decision ls",
  "decision show",
  "memory add",
  "memory recall",
  "contract ls",
  "contract history",
  "contract diff",
  "services ls",
  "services graph",
  "runtime list",
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
  "channel reply",
  "channel wait",
  "channel drain",
  "channel ls",
  "channel threads",
  "channel history",
  "channel messages",
  "task show",
  "task list",
  "task next",
  "task queue",
  "pull list",
  "issue list",
  "task ready",
  "task diff",
  "task artefact add",
  "task artefact ls",
  "task artefact get",
  "review ls",
  "review show",
  "review approve",
  "review changes",
  "attention",
  "worker ls",
  "worker show",
  "worker logs",
  "claim add",
  "claim ls",
  "claim drop",
  "repo ls",
  "workspace ls",
  "cron list",
  "cron show",
  "loop list",
  "loop show",
  "loop create",
  "loop remove",
  "loop reschedule",
  "approvals",
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
  "task review",
  "workspace clone",
  "workspace branch",
  "escalate",
  "quiet",
  "agent",
  "announce",
];
const watchdog = ["down", "agent", "agentinfinity", "restart", "escalate", "quiet"];

/** With a second word they are other commands, which nobody allowed. */
const otherVerbs: ReadonlySet<string> = new Set([
  "approvals allow",
  "approvals deny",
  "attention snooze",
  "conflicts block",
  "conflicts dismiss",
  "conflicts tell",
]);

/** Flags that choose, limit, say or show. Any other may run the repository's code, write a file or change what constel is. */
export const harmlessFlags: ReadonlySet<string> = new Set(
  (
    "json help no-color stale all limit watch follow csv tables saved list-saved " +
    "full quiet agent task thread key kind in-reply-to requires-ack timeout wait " +
    "no-wait max did why pickup loop reason severity exclusive for urgent " +
    "again text title branch branches target scope priority estimate after state " +
    "by days type explain release reopen rework hold dry-run to-workspace no-fetch " +
    "name repo hunks rescued worktrees fresh restart confined request in " +
    "to path topic service capability field draft file supersedes own pin pinned dangerous dot " +
    "evidence driven most id overlap snoozed stat undelivered time read on reviewer note blocking"
  ).split(" "),
);

/** Their value is a file that is read. */
export const fileFlags: ReadonlySet<string> = new Set(["brief", "handoff", "bundle", "heads", "valid-while"]);

export function constelVerb(words: readonly ShellWord[], role: Place["role"]): Opinion {
  const given = words.slice(1).map(({ text }) => text);
  const allowed = verbsOf(role);
  const names = [3, 2, 1].map((count) => given.slice(0, count).join(" "));
  const verb = names.find((name) => allowed.includes(name));
  if (given[0] === "--version" || given[0] === "--help" || asksForHelp(given)) return { allow: allowance };
  if (verb === undefined || given[0] === undefined || names.some((name) => otherVerbs.has(name)))
    return { ask: "it is not one of constel's verbs for agents" };
  // Words of a message may hold anything, a value that is not known might be a flag.
  const rest = words.slice(1 + verb.split(" ").length);
  if (rest.some(({ text }) => text === undefined)) return { ask: "not all of its words are written out" };
  const opinion = judgeFlags(rest);
  return "ask" in opinion || !readsNamed.has(verb) ? opinion : { ...opinion, reads: rest.flatMap(fileIn) };
}

/** With `help` before a command or `--help` after it, constel prints how the command is used, whoever may use it. */
function asksForHelp(given: readonly (string | undefined)[]): boolean {
  const names = given[0] === "help" ? given.slice(1) : given.slice(0, -1);
  const isHelp = given[0] === "help" || given.at(-1) === "--help";
  return isHelp && names.length <= 2 && names.every((name) => name !== undefined && /^[a-z]+(?:-[a-z]+)*$/.test(name));
}

/** Their words are files, perhaps as a commit has them: `main:api/openapi.yaml`. */
const readsNamed: ReadonlySet<string> = new Set(["contract diff", "contract history", "task artefact add"]);

function fileIn(word: ShellWord): ShellWord[] {
  const { text = "" } = word;
  return text.startsWith("-") ? [] : [{ ...word, text: text.slice(text.indexOf(":") + 1) || "." }];
}

/** Returns the names of the commands that a role may use unasked. */
export const verbsOf = (role: Place["role"]): readonly string[] =>
  role === "root" ? [...everybody, ...root] : role === "watchdog" ? [...everybody, ...watchdog] : everybody;

const allowance = "constel's verbs for agents";

function judgeFlags(words: readonly ShellWord[]): Opinion {
  const reads: ShellWord[] = [];
  for (const [at, { text = "" }] of words.entries()) {
    if (text === "--") break;
    const [, name, joined] = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(text) ?? [];
    if (name === undefined || text === "-h") continue;
    const value = joined ?? words[at + 1]?.text;
    if (fileFlags.has(name) && text.startsWith("--") && value !== undefined)
      reads.push({ source: text, text: value, start: value, splits: false, glob: false });
    else if (!harmlessFlags.has(name) || !text.startsWith("--")) return { ask: `--${name} is not for agents unasked` };
  }
  return { allow: allowance, reads };
}
