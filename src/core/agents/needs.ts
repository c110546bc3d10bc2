// What needs the owner, from how agents and messages are. Pure; most urgent first, and each names the command that helps.

import type { AgentNow } from "./agent.ts";

export interface Need {
  readonly kind: string;
  readonly agent: string | null;
  readonly says: string;
  readonly since_ms: number | null;
  readonly next: string;
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
  dead: { kind: "dead", says: ({ evidence }) => evidence.says, next: ({ agent }) => `constel restart ${agent}` },
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
  findings: { readonly open: number; readonly first?: string | undefined } = { open: 0 },
): Need[] {
  const wanted = agents.filter((agent) => agent.wanted === "up" && agent.role !== "ticker");
  const needs: Need[] = Object.entries(rules).flatMap(([state, rule]) =>
    wanted
      .filter((agent) => agent.state === state)
      .map((agent) => ({
        kind: rule.kind,
        agent: agent.agent,
        says: rule.says(agent),
        since_ms: agent.since_ms,
        next: rule.next(agent),
      })),
  );
  for (const agent of wanted) {
    if (agent.mail_held?.startsWith("its budget") !== true) continue;
    const { agent: name, mail_held: says } = agent;
    needs.push({ kind: "budget", agent: name, says, since_ms: null, next: "constel config show" });
  }
  if (findings.open > 0) {
    const says = `${counted(findings.open, "finding")} open${findings.first === undefined ? "" : `: ${findings.first}`}`;
    needs.push({ kind: "findings", agent: null, says, since_ms: null, next: "constel conflicts" });
  }
  if (messages.unknown > 0) {
    const says = `${counted(messages.unknown, "message")} handed out without proof of arrival`;
    const next = "constel query \"select * from messages where state = 'unknown'\"";
    needs.push({ kind: "unknown-delivery", agent: null, says, since_ms: null, next });
  }
  if (messages.poisoned > 0) {
    const says = `${counted(messages.poisoned, "message")} put aside unread`;
    needs.push({ kind: "poisoned", agent: null, says, since_ms: null, next: "constel channel poison ls" });
  }
  return needs;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
