import { accountFlag } from "../account-flag.ts";
import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/worker.ts");
const name = { field: "name" } as const;

export const commands: readonly CommandDeclaration[] = [
  asking("worker.declare", {
    name: "worker start",
    summary: "Start a worker: an agent that is given a turn when something wakes it",
    details:
      "Its program runs only while a turn runs. A message, a task, a review, something urgent or a schedule wakes it; what is only information never does. What it says at the end of its turn is sent as its answer. Started again, a parked or stopped worker goes on with what waits, and what you do not name stays as it was. Workers of real programs use your account.",
    arguments: [name],
    flags: {
      type: {
        field: "runtime",
        summary: "The agent program (default: the one it had, or the setting)",
        value: "RUNTIME",
        offers: "runtimes",
      },
      about: { field: "about", value: "TEXT" },
      model: { summary: "The model, as its program calls it", value: "MODEL" },
      tools: { summary: "A tool it may use, as its program calls it (default all)", value: "TOOL", repeat: true },
      "read-only": { summary: "It may change nothing" },
      context: {
        summary:
          "Begin each turn in its conversation (resume), in a copy of it (fork), or anew after so many turns (fresh:5)",
        value: "HOW",
      },
      "wakes-on": { field: "wakes_on", value: "KIND" },
      budget: { field: "tokens_per_day", value: "TOKENS" },
      "turns-per-hour": { field: "turns_per_hour" },
      "turn-minutes": { field: "turn_minutes" },
      account: accountFlag,
      fresh: { summary: "Begin a new conversation" },
    },
    examples: [
      "constel worker start reviewer --type claude --read-only",
      'constel worker start triage --type codex --about "You sort what comes in" --wakes-on message --budget 200000',
    ],
    load: async () => (await load()).start,
  }),
  asking("worker.stop", {
    name: "worker stop",
    summary: "Stop a worker; its messages wait until it is started again",
    arguments: [name],
    examples: ["constel worker stop reviewer"],
    load: async () => (await load()).stop,
  }),
  asking("worker.list", {
    name: "worker ls",
    summary: "List workers: what they do, what waits, what they used today",
    examples: ["constel worker ls"],
    load: async () => (await load()).list,
  }),
  asking("worker.show", {
    name: "worker show",
    summary: "Show one worker: what wakes it, its guards and its newest turns",
    arguments: [name],
    flags: { limit: { field: "limit", short: "n" } },
    examples: ["constel worker show reviewer"],
    load: async () => (await load()).show,
  }),
  asking("worker.show", {
    name: "worker logs",
    summary: "Show what a worker was asked and what it answered, the newest turn last",
    arguments: [name],
    flags: { limit: { field: "limit", short: "n" } },
    examples: ["constel worker logs reviewer -n 3"],
    load: async () => (await load()).logs,
  }),
];
