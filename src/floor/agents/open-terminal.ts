// The part of a start that agents and the ticker share: ends what is left of the one before, writes down what is wanted,
// makes the terminal, writes down who leads it.

import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { AgentTree } from "../../ports/process-trees.ts";
import type { Terminal } from "../../ports/terminal.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { keepEarlier } from "./earlier-launches.ts";
import { endTree, treeOf } from "./end-tree.ts";
import { writeLaunch } from "./launch-files.ts";
import { step } from "./steps.ts";

export interface TerminalPlan {
  readonly wanted: AgentLaunch;
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** In a control group of its own, where there are any. */
  readonly enclosed: boolean;
  /** Takes along what the next one needs of the one before, once that has ended. */
  readonly carry?: () => Promise<void>;
}

export interface Opened {
  readonly pid: number;
  /** Processes of an earlier one that were still there. */
  readonly leftovers: number;
}

/** `isThere` is a look that was taken for many agents at once; without it one is taken for this agent. */
export async function openTerminal(
  ports: AgentPorts,
  plan: TerminalPlan,
  terminals: readonly Terminal[],
  before: AgentLaunch | undefined,
  isThere: (tree: AgentTree) => boolean = () => true,
): Promise<Opened> {
  const { home, root, trees } = ports;
  const { agent } = plan.wanted;
  const isLeft = isThere(treeOf(ports, agent, terminals, before));
  const leftovers = isLeft ? await endTree(ports, agent, terminals, before) : 0;
  step("agents.start.leftovers-ended");
  await plan.carry?.();
  // Inside, because what encloses it is constel's own program, which has another umask.
  const masked = withUmask(plan.argv, ports.wishes.umask, plan.enclosed ? trees.markingWords() : "");
  const { command, cgroup } = plan.enclosed
    ? trees.enclose(`${ports.tmuxSocket.replaceAll(/[^A-Za-z0-9_-]/g, "-")}-${agent}`, masked)
    : { command: masked };
  const wanted: AgentLaunch = { ...plan.wanted, ...(cgroup === undefined ? {} : { cgroup }) };
  // All that it used must still be counted. It has ended, so its last words are written.
  if (before !== undefined && before.role !== "ticker" && before.sinceMs !== wanted.sinceMs)
    keepEarlier(home, before, ports.clock.nowMs(), ports.seal);
  writeLaunch(home, wanted, ports.seal);
  step("agents.start.wanted-written");
  if (terminals.some(({ name }) => name === agent)) await ports.terminals.kill(agent);
  step("agents.start.old-terminal-gone");
  const { pid } = await ports.terminals.create({
    name: agent,
    cwd: root,
    command,
    env: plan.env,
  });
  step("agents.start.terminal-created");
  if (plan.enclosed) trees.markDescendants(pid);
  const servers = trees.parentsOf([pid]).filter((server) => server.pid > 1);
  // Whatever anybody has the terminals' server start from now on: it must not pass for the owner's.
  for (const server of servers) trees.markDescendants(server.pid, "server");
  const leader = trees.markOf(pid);
  writeLaunch(home, { ...wanted, ...(leader === undefined ? {} : { leader }) }, ports.seal);
  step("agents.start.leader-written");
  return { pid, leftovers };
}

/** Our own umask hides everything from others; an agent's files are its owner's business. */
function withUmask(command: readonly string[], umask: number, first: string): readonly [string, ...string[]] {
  return ["/bin/sh", "-c", `umask "$0"; ${first}exec "$@"`, umask.toString(8).padStart(4, "0"), ...command];
}
