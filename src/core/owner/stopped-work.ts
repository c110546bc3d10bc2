// Work that stands still though nobody said so: an agent is idle with an unfinished task in hand, or ended its turn with a question in
// prose; or a task is with somebody who is down, paused or gone. All other ways of standing still are states of the agent by
// themselves (agents/needs.ts): dead, hung, limited, logged out, or at a prompt.

import { nounFor } from "../../protocol/counted.ts";
import { startCommand } from "../../protocol/agent-id.ts";
import { listed } from "../../protocol/listed.ts";
import { idleWithShell, type LastWords } from "../../ports/runtime.ts";
import type { AgentNow } from "../agents/agent.ts";
import { guestRole } from "../agents/leave.ts";
import type { Need } from "../agents/needs.ts";
import type { ReadContext } from "../context.ts";
import { type TaskInHand, tasksInHand } from "./owner.sql.ts";

/** A turn that ended may be followed by another: by a queued prompt, or by a message that is under way. */
const standsMs = 90_000;
/** A command in the background wakes its agent, unless it is one that never ends. */
const withShellMs = 900_000;

export async function stoppedWork(
  { store: { db, constellation }, clock }: ReadContext,
  agents: readonly AgentNow[],
  wordsOf: (agent: string) => LastWords | undefined,
): Promise<Need[]> {
  const inHand = Map.groupBy(await tasksInHand(db, constellation), ({ agent }) => agent);
  const nowMs = clock.nowMs();
  const known = new Set(agents.map(({ agent }) => agent));
  return [
    ...agents.flatMap((agent) => standing(agent, inHand.get(agent.agent) ?? [], wordsOf(agent.agent), nowMs)),
    ...[...inHand].flatMap(([agent, has]) =>
      known.has(agent) ? [] : [left(agent, has, "is not there any more", true)],
    ),
  ];
}

function standing(agent: AgentNow, has: readonly TaskInHand[], words: LastWords | undefined, nowMs: number): Need[] {
  const { wanted, state, role } = agent;
  if (wanted === "down" || wanted === "paused") {
    return has.length === 0 ? [] : [left(agent.agent, has, `is ${wanted}`)];
  }
  if (state !== "idle" || role === "ticker") return [];
  const graceMs = agent.evidence.says === idleWithShell ? withShellMs : standsMs;
  const stood = (sinceMs: number): boolean => nowMs - Math.max(sinceMs, agent.since_ms) >= graceMs;
  const due = has.filter(({ sinceMs }) => stood(sinceMs));
  const heard = due.filter(({ brief }) => brief === "delivered");
  const unheard = due.filter(({ brief }) => brief !== "delivered");
  const about = { agent: agent.agent, since_ms: agent.since_ms, next: nextFor(agent) };
  // Another stop is another thing to tell.
  const key = `${agent.agent}:${agent.since_ms}`;
  const needs: Need[] = [];
  if (heard.length > 0)
    needs.push({ ...about, key: `stopped:${key}`, kind: "stopped", says: stopText(agent.agent, heard, words) });
  if (unheard.length > 0)
    needs.push({ ...about, key: `stopped:${key}:brief`, kind: "stopped", says: briefText(agent, unheard) });
  if (has.length === 0 && role !== guestRole && words?.toMessage === true && asks(words) && stood(0))
    needs.push({ ...about, key: `asked:${key}`, kind: "asked", says: `${agent.agent} asks: ${quoted(words)}` });
  return needs;
}

function stopText(agent: string, has: readonly TaskInHand[], words: LastWords | undefined): string {
  const tasks = named(has);
  if (words === undefined) return `${agent} stopped without saying that ${tasks} ${are(has)} ready`;
  if (asks(words)) return `${agent} stopped with a question about ${tasks}: ${quoted(words)}`;
  return `${agent} stopped without saying that ${tasks} ${are(has)} ready: ${quoted(words)}`;
}

function briefText({ agent, mail_held: held }: AgentNow, has: readonly TaskInHand[]): string {
  const why = held === null ? "" : `: ${held}`;
  const briefs = nounFor(has.length, "brief");
  if (has.every(({ brief }) => brief === "unknown"))
    return `${agent} stands idle, and nothing proves that the ${briefs} of ${named(has)} reached it${why}`;
  return `${agent} stands idle, and the ${briefs} of ${named(has)} did not reach it${why}`;
}

function left(agent: string, has: readonly TaskInHand[], how: string, isGone = false): Need {
  return {
    key: `unattended:${agent}`,
    kind: "unattended",
    agent,
    says: `${named(has)} ${are(has)} with ${agent}, which ${how}`,
    since_ms: Math.max(...has.map(({ sinceMs }) => sinceMs)),
    next: isGone ? `constel task show ${has[0]?.number}` : startCommand(agent),
  };
}

const nextFor = ({ agent, role }: AgentNow): string =>
  role === guestRole ? `constel agent show ${agent}` : `constel attach ${agent}`;

const are = (has: readonly TaskInHand[]): string => (has.length === 1 ? "is" : "are");

/** `task 3`, `tasks 3 and 5`. */
function named(has: readonly TaskInHand[]): string {
  return `${nounFor(has.length, "task")} ${listed(has.map(({ number }) => String(number)))}`;
}

const quoted = ({ text }: LastWords): string => `“${text.replace(/\s+/g, " ")}”`;

/** The last paragraph holds a sentence that ends with a question mark. A screen may show one of the program's own. */
function asks({ text, said }: LastWords): boolean {
  const paragraph =
    text
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? "";
  return said && /[?？؟]["'”’»)\]*_`]*(?:\s|$)/u.test(paragraph);
}
