import { allowSecretFlag } from "../allow-secret.ts";
import type { ArgumentDeclaration, FlagDeclaration } from "../input/command-shape.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/schedules.ts");

const label: ArgumentDeclaration = { name: "label", summary: "Its name", offers: "schedules" };
const overlap: FlagDeclaration = {
  summary: "If the last firing is still under way: queue (default), skip or replace it",
  value: "RULE",
  oneOf: ["queue", "skip", "replace"],
};
const words: ArgumentDeclaration = {
  name: "words",
  summary: "An agent and what to tell it; or, after --, a verb such as task harvest --all",
  rest: true,
};

const familyOf = (kind: "cron" | "loop"): CommandDeclaration[] => [
  {
    name: `${kind} list`,
    summary: `List the ${kind}s with when each fires next`,
    tier: "read",
    examples: [`constel ${kind} list`],
    load: async () => (await load()).listOf(kind),
  },
  {
    name: `${kind} show`,
    summary:
      kind === "cron" ? "Show a cron: its next five firings and its last ten" : "Show a loop and its last ten firings",
    tier: "read",
    arguments: [label],
    examples: [`constel ${kind} show nightly`],
    load: async () => (await load()).showOf(kind),
  },
  {
    name: `${kind} remove`,
    summary: `Remove a ${kind}`,
    tier: "change",
    arguments: [label],
    examples: [`constel ${kind} remove nightly`],
    load: async () => (await load()).removeOf(kind),
  },
  {
    name: `${kind} pause`,
    summary: `Pause a ${kind}; firings missed during the pause are not made up for`,
    tier: "change",
    arguments: [label],
    examples: [`constel ${kind} pause nightly`],
    load: async () => (await load()).pauseOf(kind, true),
  },
  {
    name: `${kind} resume`,
    summary: `Resume a paused ${kind}`,
    tier: "change",
    arguments: [label],
    examples: [`constel ${kind} resume nightly`],
    load: async () => (await load()).pauseOf(kind, false),
  },
  {
    name: `${kind} run`,
    summary: `Fire a ${kind} now, in addition to its schedule`,
    tier: "change",
    arguments: [label],
    examples: [`constel ${kind} run nightly`],
    load: async () => (await load()).runOf(kind),
  },
  {
    name: `${kind} tick`,
    summary: "Check all schedules now instead of at the next round",
    tier: "change",
    examples: [`constel ${kind} tick`],
    load: async () => (await load()).tick,
  },
];

const create: Omit<CommandDeclaration, "name" | "examples"> & { readonly tier: "change" } = {
  summary: "Ask an agent the same thing again and again, until a command succeeds",
  details:
    "With an interval (10m, 2h) it fires that often; without one it fires when its worker asks for it with `loop reschedule`, or after 25 minutes. Before each firing --until is run; when it succeeds, the loop ends.",
  tier: "change",
  arguments: [{ ...words, summary: "[interval] [agent] and what to tell it; or [interval] -- a verb" }],
  flags: {
    id: { summary: "Its name (default: a new one)", value: "LABEL" },
    until: { summary: "A shell command whose success ends the loop", value: "COMMAND" },
    in: { summary: "Where that command runs (default: the agent's workspace, else the root directory)", value: "DIR" },
    most: { summary: "End after this many firings", value: "N" },
    overlap,
    ...allowSecretFlag,
  },
  load: async () => (await load()).createLoop,
};

export const commands: readonly CommandDeclaration[] = [
  {
    name: "cron add",
    summary: "At these times, tell an agent something or run a verb",
    details:
      "Five fields: minute, hour, day of the month, month, day of the week. A time that the clocks skip fires once as they go forward; one that comes twice fires the first time. What was missed while constel was down fires once, marked as late.",
    tier: "change",
    arguments: [label, { name: "fields", summary: 'The five fields, in quotes: "0 22 * * 1-5"' }, words],
    flags: {
      tz: { summary: "The time zone, such as Europe/Berlin (default UTC)", value: "ZONE" },
      overlap,
      jitter: { summary: "Delay each firing by up to this much, always the same for a label: 10m", value: "TIME" },
      ...allowSecretFlag,
    },
    examples: [
      'constel cron add critique "0 22 * * *" --tz Europe/Berlin agent0 "Review what landed today and create tasks"',
      'constel cron add morning "0 7 * * 1-5" -- task harvest --all',
    ],
    load: async () => (await load()).addCron,
  },
  ...familyOf("cron"),
  {
    name: "cron accept",
    summary: "Accept lines that were written into cron.toml by hand",
    details:
      "Shows them first. Any process of your account can write cron.toml, and what stands there runs in your name; so a line that `cron add` did not write fires only after you accepted it, and again after every change.",
    tier: "change",
    arguments: [{ ...label, summary: "Only this one", optional: true }],
    flags: { yes: { summary: "Do not ask" } },
    examples: ["constel cron accept", "constel cron accept nightly --yes"],
    load: async () => (await load()).acceptCrons,
  },
  {
    ...create,
    name: "loop create",
    examples: ['constel loop create 10m agent1 "Go on until the gate is green" --until "bin/gate"'],
  },
  { ...create, name: "loop add", examples: ['constel loop add 1h agent0 "Look for stuck tasks" --most 8'] },
  ...familyOf("loop"),
  {
    name: "loop reschedule",
    summary: "Say when a loop without an interval fires next",
    tier: "change",
    arguments: [label, { name: "delay", summary: "20m, 2h; a minute to a week" }],
    examples: ["constel loop reschedule gate-7 20m"],
    load: async () => (await load()).reschedule,
  },
  {
    name: "firing",
    summary: "Run a scheduled verb, once",
    tier: "floor",
    // The daemon runs it; whoever else does is refused there.
    may: "anybody",
    effect: "writes",
    hidden: true,
    arguments: [
      { name: "key", summary: "The firing" },
      { name: "words", summary: "The verb", rest: true },
    ],
    examples: ["constel firing cron:morning@2026-01-02T07:00:00.000Z -- task harvest --all"],
    load: async () => (await import("../commands/firing.ts")).firing,
  },
];
