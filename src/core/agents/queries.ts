// Looking at agents: all of them, one of them, and what needs the owner.

import { Refusal } from "../../protocol/errors.ts";
import type { lookAtStatus, showAgent as showOperation } from "../../protocol/operations/agents.ts";
import type { OutputOf } from "../../protocol/operation.ts";
import { readEvents } from "../../store/timeline.ts";
import type { AgentsTable } from "../../store/tables/agents.ts";
import { countNotices } from "../notices/queries.ts";
import { listFindings } from "../findings/queries.ts";
import type { ReadContext } from "../context.ts";
import { needsNow } from "../owner/needs-now.ts";
import { foremostTasks, inHandByAgent, readinessByTask, withoutGate } from "../tasks/queries.ts";
import { listRepositories } from "../worktrees/list.ts";
import { silenceOf } from "../worktrees/silence.ts";
import { dayStart } from "./account-usage.ts";
import type { AgentNow, Spent } from "./agent.ts";
import {
  agentRows,
  type HealthNeed,
  openHealth,
  type MailCount,
  mailCounts,
  newestMessages,
  newestSessions,
  poisonedCount,
  spentSince,
  usageByModel,
} from "./agents.sql.ts";

/** The conversation of its newest session. */
export async function sessionOfAgent(
  db: ReadContext["store"]["db"],
  constellation: string,
  agent: string,
): Promise<string | undefined> {
  const [newest] = await newestSessions(db, constellation, agent, 1);
  return newest?.session_id ?? undefined;
}

export async function listAgents(context: ReadContext): Promise<{ agents: AgentNow[] }> {
  const { agents } = await agentsAndMail(context);
  return { agents };
}

/** Counting what waits takes longest, so it is done once. */
async function agentsAndMail(context: ReadContext): Promise<{ agents: AgentNow[]; mail: MailCount[]; seenMs: number }> {
  const { store, clock } = context;
  const { db, constellation } = store;
  const rows = await agentRows(db, constellation);
  const mail = await mailCounts(db, constellation);
  const spent = await spentSince(db, constellation, dayStart(clock.nowMs()));
  const tasks = await inHandByAgent(context);
  const signs = Map.groupBy(await openHealth(db, constellation), ({ agent }) => agent);
  return {
    agents: rows
      .map((row) =>
        agentNow(row, {
          tasks: tasks.get(row.agent),
          mail: mail.get(row.agent),
          spent: spent.get(row.agent),
          health: signs.get(row.agent),
        }),
      )
      .sort(byNumber),
    mail: [...mail.values()],
    seenMs: rows.reduce((latest, { updated_ms: updatedMs }) => Math.max(latest, updatedMs), 0),
  };
}

const shown = { sessions: 5, messages: 8, events: 8, findings: 50, tasks: 50 };

export async function showAgent(
  context: ReadContext,
  input: { agent: string },
): Promise<OutputOf<typeof showOperation>> {
  const { db, constellation } = context.store;
  const { agent } = input;
  const now = (await listAgents(context)).agents.find((one) => one.agent === agent);
  if (now === undefined) throw new Refusal("agent.unknown", `no agent called ${agent} was ever seen`, { agent });
  // One more than is shown tells whether there are more.
  const sessions = await newestSessions(db, constellation, agent, shown.sessions + 1);
  const messages = await newestMessages(db, constellation, agent, shown.messages + 1);
  const events = await readEvents(db, {
    constellation,
    subject: `agent:${agent}`,
    limit: shown.events + 1,
    newestFirst: true,
  });
  return {
    agent: now,
    sessions: sessions.slice(0, shown.sessions),
    messages: messages.slice(0, shown.messages),
    usage: await usageByModel(db, constellation, agent),
    events: events.slice(0, shown.events).map(({ at_ms, type, data }) => ({ at_ms, type, data })),
    more: (["sessions", "messages", "events"] as const).filter(
      (what) => ({ sessions, messages, events })[what].length > shown[what],
    ),
  };
}

/** Tells whether there ever was an agent of this name. */
export async function wasSeen({ store: { db, constellation } }: ReadContext, agent: string): Promise<boolean> {
  return (await agentRows(db, constellation)).some((row) => row.agent === agent);
}

export async function lookAtStatusNow(context: ReadContext): Promise<OutputOf<typeof lookAtStatus>> {
  const { db, constellation } = context.store;
  const { agents, mail, seenMs } = await agentsAndMail(context);
  const messages = {
    waiting: mail.reduce((sum, { waiting }) => sum + waiting, 0),
    unknown: mail.reduce((sum, { unknown }) => sum + unknown, 0),
    poisoned: await poisonedCount(db, constellation),
  };
  const { total, pairs, knots } = await listFindings(context, { all: false, limit: shown.findings });
  const { total: unfinished, tasks } = await foremostTasks(context, shown.tasks);
  const readiness = await readinessByTask(context, tasks);
  const { repositories } = await listRepositories(context);
  return {
    constellation,
    needs: await needsNow(context, {
      agents,
      messages,
      findings: { open: knots.length, pairs, first: knots[0]?.title },
      repositories: repositories.length,
    }),
    // The ticker is a process of constel's own.
    agents: agents.filter(({ role }) => role !== "ticker"),
    messages,
    open_findings: total,
    notices: await countNotices(context),
    open_knots: knots.length,
    ...(await silenceOf(context)),
    findings: knots.slice(0, shown.findings).map(({ id, severity, kind, title, sides, findings }) => ({
      id,
      severity,
      kind,
      title,
      sides,
      pairs: findings.length,
    })),
    tasks: tasks.map(({ number, state, agent, title }) => {
      const { score = null, reasons = null } = readiness.get(number) ?? {};
      return { number, state, agent, title, readiness: score, readiness_reasons: reasons };
    }),
    unfinished_tasks: unfinished,
    without_gate: await withoutGate(context),
    observed_repositories: repositories.length,
    seen_ms: seenMs === 0 ? null : seenMs,
  };
}

function agentNow(
  row: AgentsTable,
  {
    tasks = [],
    mail,
    spent,
    health = [],
  }: {
    readonly tasks: readonly number[] | undefined;
    readonly mail: MailCount | undefined;
    readonly spent: Spent | undefined;
    readonly health: readonly HealthNeed[] | undefined;
  },
): AgentNow {
  return {
    agent: row.agent,
    role: row.role,
    runtime: row.runtime,
    wanted: row.wanted,
    state: row.seen,
    since_ms: row.since_ms,
    until_ms: row.seen_until_ms,
    evidence: { on: row.evidence_on, says: row.evidence_says, at_ms: row.evidence_at_ms },
    task: row.task,
    tasks: [...tasks],
    launched_ms: row.launched_ms,
    session_id: row.session_id,
    cwd: row.cwd,
    model: row.model,
    account: row.account,
    mail_held: row.mail_held,
    messages: mail ?? { waiting: 0, unknown: 0 },
    today: spent ?? { tokens: 0, micros: 0 },
    health: health.map(({ kind, says, since_ms: sinceMs }) => ({ kind, says, since_ms: sinceMs })),
  };
}

/** agent2 before agent10; names without a number last. */
function byNumber(a: AgentNow, b: AgentNow): number {
  const number = ({ agent }: AgentNow): number => Number(/^agent(\d+)$/.exec(agent)?.[1] ?? Infinity);
  const [one, other] = [number(a), number(b)];
  return one === other ? (a.agent < b.agent ? -1 : 1) : one - other;
}
