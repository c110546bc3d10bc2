import { asking, type AskingDeclaration } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/schedules.ts");

const label = { field: "label", offers: "schedules" } as const;
const overlap = { field: "overlap", value: "RULE" } as const;
const words = {
  name: "words",
  summary: "An agent and what to tell it; or, after --, a verb such as task harvest --all",
  rest: true,
} as const;

const familyOf = (kind: "cron" | "loop"): CommandDeclaration[] => [
  asking("schedule.list", {
    name: `${kind} list`,
    summary: `List the ${kind}s with when each fires next`,
    fixed: { kind },
    examples: [`constel ${kind} list`],
    load: async () => (await load()).listOf(kind),
  }),
  asking("schedule.show", {
    name: `${kind} show`,
    summary:
      kind === "cron" ? "Show a cron: its next five firings and its last ten" : "Show a loop and its last ten firings",
    fixed: { kind },
    arguments: [label],
    examples: [`constel ${kind} show nightly`],
    load: async () => (await load()).show,
  }),
  asking("schedule.remove", {
    name: `${kind} remove`,
    summary: `Remove a ${kind}`,
    fixed: { kind },
    arguments: [label],
    examples: [`constel ${kind} remove nightly`],
    load: async () => (await load()).remove,
  }),
  asking("schedule.pause", {
    name: `${kind} pause`,
    summary: `Pause a ${kind}; firings missed during the pause are not made up for`,
    fixed: { kind, paused: true },
    arguments: [label],
    examples: [`constel ${kind} pause nightly`],
    load: async () => (await load()).pause,
  }),
  asking("schedule.pause", {
    name: `${kind} resume`,
    summary: `Resume a paused ${kind}`,
    fixed: { kind, paused: false },
    arguments: [label],
    examples: [`constel ${kind} resume nightly`],
    load: async () => (await load()).pause,
  }),
  asking("schedule.run", {
    name: `${kind} run`,
    summary: `Fire a ${kind} now, in addition to its schedule`,
    fixed: { kind },
    arguments: [label],
    examples: [`constel ${kind} run nightly`],
    load: async () => (await load()).run,
  }),
  asking("schedule.tick", {
    name: `${kind} tick`,
    examples: [`constel ${kind} tick`],
    load: async () => (await load()).tick,
  }),
];

const create: Omit<AskingDeclaration<"schedule.add-loop">, "name" | "examples"> = {
  summary: "Ask an agent the same thing again and again, until a command succeeds",
  details:
    "With an interval (10m, 2h) it fires that often; without one it fires when its worker asks for it with `loop reschedule`, or after 25 minutes. Before each firing --until is run; when it succeeds, the loop ends. With --on-change the loop looks first: it fires only when that command prints something else than at its last look; the first look only notes what it prints. A clone may open up to three on its own work: they tell it something and end with its task, after a day or 100 firings at the latest.",
  arguments: [{ ...words, summary: "[interval] [agent] and what to tell it; or [interval] -- a verb" }],
  flags: {
    id: { field: "label", value: "LABEL", summary: "Its name (default: a new one)" },
    until: { field: "until", value: "COMMAND" },
    "on-change": { field: "on_change", value: "COMMAND" },
    in: { field: "directory", value: "DIR" },
    most: { field: "most" },
    overlap,
  },
  load: async () => (await load()).createLoop,
};

export const commands: readonly CommandDeclaration[] = [
  asking("schedule.add-cron", {
    name: "cron add",
    summary: "At these times, tell an agent something or run a verb",
    details:
      "Five fields: minute, hour, day of the month, month, day of the week. A time that the clocks skip fires once as they go forward; one that comes twice fires the first time. What was missed while constel was down fires once, marked as late.",
    arguments: [label, { field: "schedule", name: "fields" }, words],
    flags: { tz: { field: "zone", value: "ZONE" }, overlap, jitter: { field: "jitter_ms" } },
    examples: [
      'constel cron add critique "0 22 * * *" --tz Europe/Berlin agent0 "Review what landed today and create tasks"',
      'constel cron add morning "0 7 * * 1-5" -- task harvest --all',
    ],
    load: async () => (await load()).addCron,
  }),
  ...familyOf("cron"),
  {
    name: "cron accept",
    summary: "Accept lines that were written into cron.toml by hand",
    details:
      "Shows them first. Any process of your account can write cron.toml, and what stands there runs in your name; so a line that `cron add` did not write fires only after you accepted it, and again after every change.",
    tier: "change",
    arguments: [{ name: "label", summary: "Only this one", offers: "schedules", optional: true }],
    flags: { yes: { summary: "Do not ask" } },
    examples: ["constel cron accept", "constel cron accept nightly --yes"],
    load: async () => (await load()).acceptCrons,
  },
  asking("schedule.add-loop", {
    ...create,
    name: "loop create",
    examples: [
      'constel loop create 10m agent1 "Go on until the gate is green" --until "bin/gate"',
      'constel loop create 15m "Look whether the checks of your branch are green"',
      'constel loop create 5m agent0 "A pull request changed: look at it" --on-change "git ls-remote origin"',
    ],
  }),
  asking("schedule.add-loop", {
    ...create,
    name: "loop add",
    examples: ['constel loop add 1h agent0 "Look for stuck tasks" --most 8'],
  }),
  ...familyOf("loop"),
  asking("schedule.reschedule", {
    name: "loop reschedule",
    summary: "Say when a loop without an interval fires next",
    arguments: [label, { field: "delay_ms", name: "delay" }],
    examples: ["constel loop reschedule gate-7 20m"],
    load: async () => (await load()).reschedule,
  }),
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
