// Everything that needs the owner now, from the database: agents, permission requests, tasks, schedules, messages, findings. What only
// the machine's files tell (an agent that is left alone, a red main) the daemon notes, and it is read from there.
//
// `note-needs.ts` notes each need from beginning to end and says what is to be told by `page-rules.ts`; `daemon/owner/owner-loop.ts`
// tells it through `floor/escalate/`; replies come in by `take-reply.ts`.

import { startCommand } from "../../protocol/agent-id.ts";
import { listApprovals } from "../approvals/approve.ts";
import type { AgentNow } from "../agents/agent.ts";
import { placeOfKind } from "../../store/attention-view.ts";
import { healthKinds } from "../agents/health.ts";
import { type Need, needsOf } from "../agents/needs.ts";
import { pullsThatAsk } from "../pulls/queries.ts";
import { parkedWorkers } from "../workers/worker.ts";
import type { ReadContext } from "../context.ts";
import {
  clockBehind,
  failedDispatches,
  failedFirings,
  firingsWithoutAgent,
  openNeeds,
  tasksBeingLanded,
  unansweredLoops,
  waitingTasks,
} from "./owner.sql.ts";

export interface Seen {
  readonly agents: readonly AgentNow[];
  readonly messages: { readonly unknown: number; readonly poisoned: number };
  readonly findings: { readonly open: number; readonly pairs: number; readonly first?: string | undefined };
  /** The number of repositories that are watched. */
  readonly repositories: number;
}

/** After whoever waits at a prompt or is dead. */
const stoppedKinds: readonly string[] = ["stopped", "asked", "unattended"];
/** Kinds that the daemon alone can see. */
export const notedKinds: readonly string[] = [
  "quarantine",
  "main-red",
  ...stoppedKinds,
  "watchdog",
  "schedule-file",
  "clock",
  ...healthKinds,
];

export async function needsNow(context: ReadContext, seen: Seen): Promise<Need[]> {
  const { db, constellation } = context.store;
  const { approvals } = await listApprovals(context, { all: false });
  const noted = (await openNeeds(db, constellation)).filter(({ kind }) => notedKinds.includes(kind));
  const [stopped, first] = [true, false].map((isStopped) =>
    noted
      .filter(({ kind }) => stoppedKinds.includes(kind) === isStopped)
      .map(({ key, kind, agent, says, next, since_ms }) => ({ key, kind, agent, says, next, since_ms })),
  );
  const states = needsOf(seen.agents, seen.messages, seen.findings, approvals);
  const ofAgents = states.filter(({ agent }) => agent !== null);
  // In the order of the view `attention`; those of one place as they stand here.
  return [
    ...(first ?? []),
    ...ofAgents,
    ...(stopped ?? []),
    ...states.filter(({ agent }) => agent === null),
    ...(await tasksNeeds(context)),
    ...(await workerNeeds(context)),
    ...(await scheduleNeeds(context)),
    ...repositoryNeeds(seen),
  ].sort((a, b) => placeOfKind(a.kind) - placeOfKind(b.kind));
}

async function tasksNeeds({ store: { db, constellation } }: ReadContext): Promise<Need[]> {
  const underWay = await tasksBeingLanded(db, constellation);
  const waiting = (await waitingTasks(db, constellation)).filter(({ number }) => !underWay.has(number));
  const failed = await failedDispatches(db, constellation);
  return [
    ...failed.map(({ number, agent, problem, ended_ms: sinceMs }) => ({
      key: `dispatch-failed:${number}`,
      kind: "dispatch-failed",
      agent,
      says: `task ${number} could not be given out: ${problem ?? "no reason was given"}`,
      since_ms: sinceMs,
      next: `constel task dispatch ${number}`,
    })),
    ...(await pullsThatAsk(db, constellation)).map(({ id, number, agent, waits_for: why, url, since_ms: sinceMs }) => ({
      key: `pull:${id}`,
      kind: "ready",
      agent,
      says: `the pull request of task ${number} waits for you: ${why ?? ""}${url === null ? "" : ` (${url})`}`,
      since_ms: sinceMs,
      next: "constel pull list",
    })),
    ...waiting.map(({ number, title, state, agent, reason, updated_ms: sinceMs }) => {
      const isReady = state === "ready";
      return {
        key: `${isReady ? "ready" : "review"}:${number}`,
        kind: isReady ? "ready" : "review",
        agent,
        says: waitText({ number, title, isReady, reason }),
        since_ms: sinceMs,
        next: isReady ? `constel task harvest ${number}` : `constel task show ${number}`,
      };
    }),
  ];
}

function waitText({ number, title, isReady, reason }: Waiting): string {
  if (!isReady) return `task ${number}: ${reason ?? "it needs review"}`;
  return reason === null ? `task ${number} is ready to land: ${title}` : `task ${number} is ready, and ${reason}`;
}

interface Waiting {
  readonly number: number;
  readonly title: string;
  readonly isReady: boolean;
  /** Of one that is ready: what kept it from landing. */
  readonly reason: string | null;
}

async function scheduleNeeds({ store: { db, constellation } }: ReadContext): Promise<Need[]> {
  const failed = await failedFirings(db, constellation);
  const unanswered = await unansweredLoops(db, constellation);
  const lonely = await firingsWithoutAgent(db, constellation);
  const behindMs = await clockBehind(db, constellation);
  const behind: Need = {
    key: "schedule:clock",
    kind: "schedule",
    agent: null,
    says: `the clock was set back; no cron fires for ${Math.ceil(behindMs / 60_000)} min`,
    since_ms: null,
    next: "constel cron list",
  };
  return [
    // The changes that a time server makes to a clock are no matter for a person.
    ...(behindMs > 300_000 ? [behind] : []),
    ...failed.map(({ key, kind, label, detail, ended_ms: sinceMs }) => ({
      key: `schedule:${key}`,
      kind: "schedule",
      agent: null,
      says: `the last firing of ${label} failed: ${detail ?? "no reason was given"}`,
      since_ms: sinceMs,
      next: `constel ${kind} show ${label}`,
    })),
    ...lonely.map(({ key, label, agent, wanted, at_ms: sinceMs }) => ({
      key: `schedule:${key}`,
      kind: "schedule",
      agent: null,
      says: `${label} waits for ${agent}, which ${wanted === undefined ? "was never started" : `is ${wanted}`}`,
      since_ms: sinceMs,
      next: startCommand(agent),
    })),
    ...unanswered.map(({ label, ended_why: why, ended_ms: sinceMs }) => ({
      key: `schedule:loop:${label}`,
      kind: "schedule",
      agent: null,
      says: `the loop ${label} ended: ${why ?? ""}`,
      since_ms: sinceMs,
      next: `constel loop show ${label}`,
    })),
  ];
}

async function workerNeeds(context: ReadContext): Promise<Need[]> {
  return (await parkedWorkers(context)).map(({ agent, name, because, updated_ms: sinceMs }) => ({
    key: `parked:${agent}`,
    kind: "parked",
    agent,
    says: `the worker ${name} is parked: ${because ?? "no reason was given"}`,
    since_ms: sinceMs,
    next: `constel worker start ${name}`,
  }));
}

/** Agents at work where nothing is watched: nobody would hear of a collision. */
function repositoryNeeds({ agents, repositories }: Seen): Need[] {
  if (repositories > 0) return [];
  const working = agents.filter(({ role, wanted, state }) => role === "clone" && wanted === "up" && state === "busy");
  const [first] = working;
  if (first === undefined) return [];
  const who = working.length === 1 ? `${first.agent} works` : `${working.length} agents work`;
  return [
    {
      key: "no-repository",
      kind: "no-repository",
      agent: working.length === 1 ? first.agent : null,
      says: `${who} where constel watches no repository`,
      since_ms: first.launched_ms,
      next: "constel repo add <path>",
    },
  ];
}
