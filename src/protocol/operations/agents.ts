// Agents: how each one is, with the evidence; and the one screen of what needs the owner.

import { z } from "zod";
import { columnsOf } from "../columns.ts";
import { agentField } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { agentScreen } from "../window.ts";
import { silence } from "./open-part.ts";

const wholeOrNull = z.number().int().nullable();

export const agentShape = z.object({
  agent: z.string(),
  role: z.string(),
  runtime: z.string(),
  wanted: z.string(),
  /** starting, busy, waiting-permission, waiting-answer, idle, limited, logged-out, hung, paused, dead or unknown. */
  state: z.string(),
  since_ms: z.number().int(),
  until_ms: wholeOrNull,
  evidence: z.object({ on: z.string(), says: z.string(), at_ms: wholeOrNull }),
  task: z.string().nullable(),
  /** The numbers of all tasks that it has in hand. */
  tasks: z.array(z.number().int()),
  launched_ms: z.number().int(),
  session_id: z.string().nullable(),
  cwd: z.string(),
  model: z.string().nullable(),
  /** One of the owner's further accounts of its program; null for the program's own. */
  account: z.string().nullable(),
  /** The reason why its messages wait. */
  mail_held: z.string().nullable(),
  messages: z.object({ waiting: z.number().int(), unknown: z.number().int() }),
  today: z.object({ tokens: z.number().int(), micros: z.number().int() }),
  /** Signs that it fares badly: looping, no-progress, context-full, out-of-scope. */
  health: z.array(z.object({ kind: z.string(), says: z.string(), since_ms: z.number().int() })),
});

export const listAgents = defineOperation({
  name: "agents.list",
  summary: "Every agent as it was last seen, with what that rests on.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ ...columnsOf(agentShape) }),
  output: z.object({ agents: z.array(agentShape) }),
  rows: "agents",
  refusals: [],
});

export const agentScreenNow = defineOperation({
  name: "agents.screen",
  summary: "An agent's screen as rows of text, as its terminal shows it now.",
  may: "operators",
  effect: "reads",
  needsDaemon: true,
  input: z.object({ agent: agentField.describe("Its number or name: 3, agent3") }),
  output: agentScreen,
  refusals: ["agent.unknown"],
});

export const restartAgent = defineOperation({
  name: "agents.restart",
  summary: "Restart an agent as it was: the same runtime, conversation and task.",
  may: "operators",
  effect: "destroys",
  needsDaemon: true,
  input: z.object({
    agent: agentField.describe("Its number or name: 3, agent3"),
    fresh: z.boolean().default(false).describe("Begin a new conversation"),
  }),
  /** It was asked for and goes on by itself: its state tells when the agent is back. */
  output: z.object({ agents: z.array(z.string()) }),
  refusals: ["agent.unknown"],
});

export const quietWatchdog = defineOperation({
  name: "watchdog.quiet",
  summary: "Silence the watchdog: nothing counts as hung, and pages that can wait are kept back.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    time: z
      .string()
      .trim()
      .max(40)
      .default("show")
      .describe("90m, 2h, 07:30 (UTC), an ISO time, `off`, or `show` for the current state"),
  }),
  output: z.object({ quiet: z.boolean(), until_ms: wholeOrNull }),
  refusals: ["usage.bad-value", "quiet.too-long"],
});

export const showAgent = defineOperation({
  name: "agents.show",
  summary: "One agent: its state and evidence, sessions, messages, events and usage.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ agent: agentField.describe("Its number or name: 3, agent3") }),
  output: z.object({
    agent: agentShape,
    sessions: z.array(
      z.object({
        started_ms: z.number().int(),
        ended_ms: wholeOrNull,
        because: z.string(),
        session_id: z.string().nullable(),
        exit_status: wholeOrNull,
        exit_signal: wholeOrNull,
      }),
    ),
    messages: z.array(
      z.object({
        message_id: z.string().nullable(),
        sender: z.string(),
        state: z.string(),
        because: z.string().nullable(),
        sent_ms: wholeOrNull,
        text: z.string().nullable(),
      }),
    ),
    usage: z.array(
      z.object({
        model: z.string(),
        answers: z.number().int(),
        input: z.number().int(),
        output: z.number().int(),
        cache_read: z.number().int(),
        cache_write: z.number().int(),
        cost_micros: z.number().int(),
        unpriced: z.number().int(),
      }),
    ),
    events: z.array(z.object({ at_ms: z.number().int(), type: z.string(), data: z.record(z.string(), z.unknown()) })),
    /** The lists here that hold only the newest: there are more. */
    more: z.array(z.enum(["sessions", "messages", "events"])),
  }),
  refusals: ["agent.unknown"],
});

export const lookAtStatus = defineOperation({
  name: "status.look",
  summary: "What needs the owner, the agents by state, tasks, findings, and the messages that have not arrived.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({}),
  output: z.object({
    constellation: z.string(),
    /** Most urgent first. */
    needs: z.array(
      z.object({
        /** The same for as long as it is the same thing. */
        key: z.string(),
        kind: z.string(),
        agent: z.string().nullable(),
        says: z.string(),
        since_ms: wholeOrNull,
        /** The command that helps. */
        next: z.string(),
      }),
    ),
    agents: z.array(agentShape),
    messages: z.object({ waiting: z.number().int(), unknown: z.number().int(), poisoned: z.number().int() }),
    open_findings: z.number().int(),
    /** The notices for agents: the number that they were not told yet, and the number that they were told and that still hold. */
    notices: z.object({ waiting: z.number().int(), told: z.number().int() }),
    /** The same, counting once those that are one problem among several lines of work. */
    open_knots: z.number().int(),
    /** The facts that the silence about collisions rests on. */
    ...silence,
    /** The worst first, one for each knot. */
    findings: z.array(
      z.object({
        id: z.string(),
        severity: z.string(),
        kind: z.string(),
        title: z.string(),
        /** The labels of all lines of work in it, and how many pairs of them collide. */
        sides: z.array(z.string()),
        pairs: z.number().int(),
      }),
    ),
    /** Those that somebody has, then those that wait. */
    tasks: z.array(
      z.object({
        number: z.number().int(),
        state: z.string(),
        agent: z.string().nullable(),
        title: z.string(),
        /** From 0 to 100, as in the view `merge_readiness`; null where nobody looks at its workspace. */
        readiness: wholeOrNull,
        readiness_reasons: z.string().nullable(),
      }),
    ),
    unfinished_tasks: z.number().int(),
    /** Targets on which work landed last without a gate: nothing tests it. */
    without_gate: z.array(z.object({ origin: z.string(), target: z.string() })),
    observed_repositories: z.number().int(),
    /** The time when an agent was last looked at; null if none ever was. */
    seen_ms: wholeOrNull,
  }),
  refusals: [],
});

export const lookAtCost = defineOperation({
  name: "cost.look",
  summary: "What agents cost, by agent, task, day, model or account, dearest first (days: newest first).",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    by: z.enum(["agent", "task", "day", "model", "account"]).default("agent").describe("What to group the costs by"),
    days: z.number().int().min(1).max(3_650).default(30).describe("How many UTC days, today included"),
  }),
  output: z.object({
    by: z.string(),
    since_ms: z.number().int(),
    rows: z.array(
      z.object({
        /** The agent, task, day, model or account; null for work outside of any task. */
        of: z.string().nullable(),
        answers: z.number().int(),
        input: z.number().int(),
        output: z.number().int(),
        cache_read: z.number().int(),
        cache_write: z.number().int(),
        /** Of the answers whose price is known. */
        cost_micros: z.number().int(),
        unpriced: z.number().int(),
      }),
    ),
    /** The day the prices that ship with constel were looked up. */
    prices_of: z.string(),
  }),
  refusals: [],
});

export const lookAtTime = defineOperation({
  name: "cost.time",
  summary:
    "Where the time of tasks went, by task or agent, longest first: waiting, starting, working, waiting for the owner, landing.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    by: z.enum(["task", "agent"]).default("task").describe("What to group the time by"),
    days: z.number().int().min(1).max(3_650).default(30).describe("How many UTC days, today included"),
  }),
  output: z.object({
    by: z.string(),
    since_ms: z.number().int(),
    rows: z.array(
      z.object({
        /** The task's number or the agent; null for tasks that no agent had. */
        of: z.string().nullable(),
        /** Of a task; null for an agent. */
        title: z.string().nullable(),
        tasks: z.number().int(),
        clone_minutes: z.number(),
        start_minutes: z.number(),
        work_minutes: z.number(),
        owner_minutes: z.number(),
        land_minutes: z.number(),
        all_minutes: z.number(),
      }),
    ),
  }),
  refusals: [],
});
