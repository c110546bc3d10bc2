// Finds what needs the owner, from the state of agents and messages. Pure. The most urgent comes first, and each names the command that
// helps.

import { counted } from "../../protocol/counted.ts";
import { restartCommand } from "../../protocol/agent-id.ts";
import type { AgentNow } from "./agent.ts";

export interface Need {
  /** The same for as long as it is the same thing: it is told once. */
  readonly key: string;
  readonly kind: string;
  readonly agent: string | null;
  readonly says: string;
  readonly since_ms: number | null;
  readonly next: string;
}

/** A permission request that waits for the owner. */
export interface WaitingRequest {
  readonly id: string;
  readonly agent: string;
  readonly asked: string;
  readonly asked_ms: number;
}

interface Rule {
  readonly kind: string;
  readonly says: (agent: AgentNow) => string;
  readonly next: (agent: AgentNow) => string;
}

const attach = ({ agent }: AgentNow): string => `constel attach ${agent}`;
const show = ({ agent }: AgentNow): string => `constel agent show ${agent}`;

/** In order of urgency, by state. */
const rules: Readonly<Record<string, Rule>> = {
  "waiting-permission": { kind: "permission", says: ({ evidence }) => evidence.says, next: attach },
  "waiting-answer": { kind: "question", says: ({ evidence }) => evidence.says, next: attach },
  dead: { kind: "dead", says: ({ evidence }) => evidence.says, next: ({ agent }) => restartCommand(agent) },
  hung: { kind: "hung", says: ({ evidence }) => evidence.says, next: attach },
  "logged-out": { kind: "logged-out", says: ({ evidence }) => evidence.says, next: attach },
  unknown: { kind: "unknown-state", says: ({ evidence }) => evidence.says, next: show },
  limited: {
    kind: "limited",
    says: ({ until_ms: untilMs, evidence }) =>
      untilMs === null ? evidence.says : `until ${new Date(untilMs).toISOString().slice(0, 16)}Z: ${evidence.says}`,
    next: show,
  },
};

export function needsOf(
  agents: readonly AgentNow[],
  messages: { readonly unknown: number; readonly poisoned: number },
  /** `pairs` are more than are open where several collide over one thing. */
  findings: { readonly open: number; readonly pairs: number; readonly first?: string | undefined } = {
    open: 0,
    pairs: 0,
  },
  approvals: readonly WaitingRequest[] = [],
): Need[] {
  const wanted = agents.filter((agent) => agent.wanted === "up" && agent.role !== "ticker");
  const needs: Need[] = approvals.map(({ id, agent, asked, asked_ms: askedMs }) => ({
    key: `permission:${id}`,
    kind: "permission",
    agent,
    says: `wants to run: ${asked}`,
    since_ms: askedMs,
    next: `constel approvals allow ${id.slice(-6)}`,
  }));
  const answerable = new Set(approvals.map(({ agent }) => agent));
  needs.push(
    ...Object.entries(rules).flatMap(([state, rule]) =>
      wanted
        .filter((agent) => agent.state === state && !(state === "waiting-permission" && answerable.has(agent.agent)))
        .map((agent) => ({
          key: `${rule.kind}:${agent.agent}`,
          kind: rule.kind,
          agent: agent.agent,
          says: rule.says(agent),
          since_ms: agent.since_ms,
          next: rule.next(agent),
        })),
    ),
  );
  const all = wanted.filter(({ mail_held: held }) => held?.startsWith("the budget of all agents") === true);
  if (all.length > 0) {
    const says = all[0]?.mail_held ?? "";
    needs.push({ key: "budget:*", kind: "budget", agent: null, says, since_ms: null, next: "constel config show" });
  }
  for (const agent of wanted) {
    if (agent.mail_held?.startsWith("its budget") !== true) continue;
    const { agent: name, mail_held: says } = agent;
    needs.push({
      key: `budget:${name}`,
      kind: "budget",
      agent: name,
      says,
      since_ms: null,
      next: "constel config show",
    });
  }
  if (findings.open > 0) {
    const pairs = findings.pairs > findings.open ? ` (${counted(findings.pairs, "pair")})` : "";
    const says = `${counted(findings.open, "finding")} open${pairs}${findings.first === undefined ? "" : `: ${findings.first}`}`;
    needs.push({ key: "findings", kind: "findings", agent: null, says, since_ms: null, next: "constel conflicts" });
  }
  if (messages.unknown > 0) {
    const says = `${counted(messages.unknown, "message")} handed out without proof of arrival`;
    const next = "constel query \"select * from messages where state = 'unknown'\"";
    needs.push({ key: "unknown-delivery", kind: "unknown-delivery", agent: null, says, since_ms: null, next });
  }
  if (messages.poisoned > 0) {
    const says = `${counted(messages.poisoned, "message")} put aside unread`;
    needs.push({
      key: "poisoned",
      kind: "poisoned",
      agent: null,
      says,
      since_ms: null,
      next: "constel channel poison ls",
    });
  }
  return needs;
}
