// Tells whose process this is, from what the kernel says about it: the processes that started it, the terminal that controls it, the control
// group it is in, what it was started with. Nothing here rests on what a process says of itself, with one exception that can only take away:
// whoever carries an agent's name in its environment is at most that agent.
//
// Nobody chooses who started them, and an agent's program keeps its orphans (adopt-orphans.ts), so the processes above say whose one is. A
// control group only takes away: whoever may make one can put itself into another's. A process that lost all that leads to its agent still
// carries the mark that every agent's program hands down (limit-mark.ts), and is nobody's. What is left over is the owner's, unless
// something other than a person at a terminal must have started it: then it is nobody's, and may only read.

import { isAgentId } from "../../protocol/agent-id.ts";
import type { Belonging, Household, KnownAgent } from "../../ports/household.ts";
import type { ProcessMark } from "../../ports/machine.ts";
import { type ProcessRow, type ProcessTable, systemProcessTable } from "./process-table.ts";

/** `isInside`: of a process that looks at itself in a sandbox, where nothing else is to be seen. What it may, the daemon decides outside. */
export function belongsTo(
  pid: number,
  household: Household,
  table: ProcessTable = systemProcessTable,
  isInside = false,
): Belonging {
  const line = ancestry(pid, table);
  if (line.length === 0) return { to: "nobody", why: "the process had ended before it could be looked at" };
  const led = byAncestor(line, household, table);
  if (led?.to === "agent" || led?.to === "nobody") return led;
  return (
    byTerminal(line, household, table) ??
    byControlGroup(line, household, table, isInside) ??
    (led === undefined ? byMark(line, table) : (byAgentsMark(line, table) ?? led)) ??
    byEnvironment(line, household, table) ??
    byService(line) ?? { to: "owner" }
  );
}

/** More than any shell in a shell in a terminal is deep; a loop cannot be, but numbers are used again while we read. */
const deepest = 256;

/** The process itself, who started it, and so on up to the first process of the machine, which is left out. */
function ancestry(pid: number, table: ProcessTable): ProcessRow[] {
  const line: ProcessRow[] = [];
  for (let at = pid; at > 1 && line.length < deepest;) {
    const row = table.row(at);
    if (row === undefined || row.zombie) break;
    line.push(row);
    at = row.parent;
  }
  return line;
}

/** Groups of ours are called after the tmux socket and the agent, and stay so when the agent's own files are gone. */
function byControlGroup(
  line: readonly ProcessRow[],
  household: Household,
  table: ProcessTable,
  isInside: boolean,
): Belonging | undefined {
  const starts = household.tmuxSockets.map((socket) => `${socket.replaceAll(/[^A-Za-z0-9_-]/g, "-")}-`);
  for (const { pid } of line) {
    for (const part of (table.group(pid) ?? "").split("/")) {
      const start = starts.find((one) => part.startsWith(one)) ?? part;
      const agent = part.slice(start.length);
      if (isAgentId(agent) && isInside) return { to: "agent", agent, by: "control group" };
      if (isAgentId(agent))
        return { to: "nobody", why: `it is in the control group of ${agent}, and no process of that agent started it` };
    }
  }
  return undefined;
}

function byAncestor(line: readonly ProcessRow[], household: Household, table: ProcessTable): Belonging | undefined {
  const leaders = new Map<number, KnownAgent>();
  const servers = new Set<number>();
  for (const known of household.agents) {
    const row = known.leader === undefined ? undefined : table.row(known.leader.pid);
    if (row === undefined || !isStartOf(known.leader, row)) continue;
    // Two files that name one process: the one that constel wrote counts.
    if (known.isUnproven === true && leaders.has(row.pid)) continue;
    leaders.set(row.pid, known);
    if (row.parent > 1 && known.isGuest !== true && known.isUnproven !== true && known.isLoose !== true)
      servers.add(row.parent);
  }
  // Anybody can write that a process is a guest: what an agent's program started stays that agent's.
  const isAgents = line.some(({ pid }) => isProven(leaders.get(pid)));
  for (const { pid } of line) {
    const known = leaders.get(pid);
    if (known?.isGuest === true && isAgents) continue;
    if (known?.isUnproven === true)
      return {
        to: "nobody",
        why: `the file of ${known.agent} is not as constel wrote it; \`constel restart\` writes it anew`,
      };
    if (known?.isOwners === true) return { to: "owner" };
    if (known !== undefined) return { to: "agent", agent: known.agent, by: "ancestor" };
    if (pid === household.daemonPid) return { to: "nobody", why: "the daemon runs it, for a gate or a set-up" };
    if (servers.has(pid))
      return { to: "nobody", why: "it runs in the agents' tmux server, in a window that is no agent's own" };
  }
  return undefined;
}

const isProven = (known: KnownAgent | undefined): boolean =>
  known !== undefined && known.isGuest !== true && known.isUnproven !== true && !known.isOwners;

/** A mark says when its process started, after the namespace; 0 where the machine does not tell. */
function isStartOf(mark: ProcessMark | undefined, row: ProcessRow): boolean {
  const started = mark?.token.split("-")[1];
  return started === "0" || started === row.started;
}

function byTerminal(line: readonly ProcessRow[], household: Household, table: ProcessTable): Belonging | undefined {
  const own = new Set(line.map(({ terminal }) => terminal).filter((terminal) => terminal !== ""));
  if (own.size === 0) return undefined;
  for (const { agent, leader, isOwners, isGuest, isUnproven } of household.agents) {
    const row =
      leader === undefined || isOwners || isGuest === true || isUnproven === true ? undefined : table.row(leader.pid);
    if (row !== undefined && isStartOf(leader, row) && own.has(row.terminal))
      return { to: "agent", agent, by: "terminal" };
  }
  return undefined;
}

/**
 * What the owner's own programs start carries no agent's mark, with two exceptions that act for nobody: commands that a repository names, and clients
 * of the agents' tmux server, which become whatever that server tells them to become.
 */
function byAgentsMark(line: readonly ProcessRow[], table: ProcessTable): Belonging | undefined {
  if (!line.some(({ pid }) => table.mark(pid) === "agent")) return undefined;
  return {
    to: "nobody",
    why: "the owner's program started it on behalf of a repository or of the agents' tmux server",
  };
}

/** An agent's program, or a session that a person started, stood above it, and nothing leads there any more. */
function byMark(line: readonly ProcessRow[], table: ProcessTable): Belonging | undefined {
  if (!line.some(({ pid }) => table.mark(pid) !== undefined)) return undefined;
  return { to: "nobody", why: "an agent, or the agents' tmux server, started it, and it is no longer known which" };
}

function byEnvironment(line: readonly ProcessRow[], household: Household, table: ProcessTable): Belonging | undefined {
  for (const { pid } of line) {
    const environment = table.environment(pid);
    if (!environment.includes(`CONSTEL_HOME=${household.home}`)) continue;
    const named = environment.find((entry) => entry.startsWith("CONSTEL_AGENT="))?.slice("CONSTEL_AGENT=".length);
    if (named === undefined || named === "") continue;
    if (isAgentId(named)) return { to: "agent", agent: named, by: "environment" };
    return { to: "nobody", why: "its environment names no agent that there could be" };
  }
  return undefined;
}

/** Programs that start others by the clock, for whoever left a line in their tables: an agent can. */
const clockServices = new Set(["cron", "crond", "CRON", "atd", "anacron", "fcron"]);

function byService(line: readonly ProcessRow[]): Belonging | undefined {
  const service = line.find(({ name }) => clockServices.has(name));
  if (service !== undefined) return { to: "nobody", why: `${service.name} started it` };
  const manager = line.findIndex(({ name }) => name === "systemd");
  if (manager !== -1 && line.slice(0, manager).every(({ terminal }) => terminal === ""))
    return { to: "nobody", why: "the account's service manager started it, and no terminal controls it" };
  return undefined;
}
