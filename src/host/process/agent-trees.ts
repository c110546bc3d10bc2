// An agent's processes on this machine, by its leader, its mark and its control group. Spares the terminals' server, and the
// daemon, which an agent's command may have started inside the agent's control group.

import type { Clock, ProcessMark } from "../../ports/machine.ts";
import type { AgentTree, ProcessTrees } from "../../ports/process-trees.ts";
import { Cgroup } from "./cgroup.ts";
import { markingWords } from "./limit-mark.ts";
import { markOf, systemLiveness } from "./liveness.ts";
import { type ProcessIdentity, systemProcessTable, tableAsItIs } from "./process-table.ts";
import { markDescendants } from "./mark-descendants.ts";
import { reap } from "./reap.ts";
import { findTree, identify, type TreeQuery } from "./tree.ts";

export interface AgentTreesOptions {
  readonly clock: Clock;
  /** Between asking and insisting. */
  readonly graceMs: number;
  /** The daemon's, and whoever else must live on; asked anew each time. */
  readonly spare: () => readonly number[];
  /** The words before a command that make it keep its orphans; for whoever starts agents. */
  readonly adopting?: readonly string[];
}

/** A server that was told to end needs a moment, on a busy machine seconds. */
const endsWithinMs = 10_000;

export function agentTrees(options: AgentTreesOptions): ProcessTrees {
  return {
    markOf,
    markDescendants,
    markingWords,
    async end(tree) {
      const query = queryOf(tree, options);
      const { found, left } = await reap({ clock: options.clock, graceMs: options.graceMs, ...query });
      if (left.length === 0 && query.cgroup !== undefined) await remove(query.cgroup, options.clock);
      return { found: found.length, left: left.map(({ pid }) => pid) };
    },
    look() {
      // Twice, as when they are ended: processes are listed one after another.
      const tables = [tableAsItIs(), tableAsItIs()];
      return (tree) => {
        const query = queryOf(tree, options);
        return tables.some((table) => findTree(query, table).length > 0);
      };
    },
    parentsOf: (pids) => [...new Set(parentsOf(pids))].flatMap((pid) => markOf(pid) ?? []),
    async untilEnded(processes) {
      const untilMs = options.clock.monotonicMs() + endsWithinMs;
      for (;;) {
        const left = processes.filter((mark) => !systemLiveness.isProvenDead(mark)).map(({ pid }) => pid);
        if (left.length === 0 || options.clock.monotonicMs() >= untilMs) return left;
        await options.clock.sleep(5);
      }
    },
    agentsAmong,
    enclose(name, command) {
      // The group finds all of them when they are ended; whose one is, its parents say, so the program keeps its orphans too.
      const [first, ...more] = process.platform === "linux" ? (options.adopting ?? []) : [];
      const adopting = first === undefined ? command : ([first, ...more, ...command] as const);
      const cgroup = Cgroup.make(name);
      return cgroup === undefined ? { command: adopting } : { command: cgroup.command(adopting), cgroup: cgroup.path };
    },
  };
}

function queryOf(tree: AgentTree, options: AgentTreesOptions): TreeQuery & { readonly cgroup?: Cgroup } {
  const cgroup = tree.cgroup === undefined ? undefined : Cgroup.at(tree.cgroup);
  const [root, ...known] = rootsOf(tree);
  return {
    ...(root === undefined ? {} : { root }),
    known,
    ...(tree.mark === undefined ? {} : { mark: tree.mark }),
    ...(cgroup === undefined ? {} : { cgroup }),
    spare: [...options.spare(), ...parentsOf(tree.terminalPids)],
  };
}

/**
 * Who was spared goes on outside: the daemon, and this very process when an agent ends itself. The kernel needs a moment after
 * the last one; an empty group that stays is used again by the next start.
 */
async function remove(cgroup: Cgroup, clock: Clock): Promise<void> {
  cgroup.release();
  for (let look = 0; look < 20 && !cgroup.remove(); look++) await clock.sleep(5);
}

/** The remembered leader first: when it has ended, its number still tells the session it led. */
function rootsOf(tree: AgentTree): ProcessIdentity[] {
  const remembered = tree.leader === undefined ? undefined : identityOf(tree.leader);
  const current = tree.terminalPid === undefined ? undefined : identify(tree.terminalPid);
  return [remembered, current].filter((identity) => identity !== undefined);
}

/** undefined for a process of another PID namespace, whose number says nothing here. */
function identityOf(mark: ProcessMark): ProcessIdentity | undefined {
  const [namespace, started = "0"] = mark.token.split("-");
  const [here] = systemLiveness.self().token.split("-");
  if (namespace !== here) return undefined;
  if (started !== "0") return { pid: mark.pid, started };
  // No /proc: the mark does not tell the start, so only a process that is there can be meant.
  return systemLiveness.isProvenDead(mark) ? undefined : identify(mark.pid);
}

function parentsOf(pids: readonly number[]): number[] {
  return pids.flatMap((pid) => systemProcessTable.row(pid)?.parent ?? []);
}

function agentsAmong(home: string): readonly string[] {
  const agents = new Set<string>();
  for (const { pid } of systemProcessTable.rows()) {
    const environment = systemProcessTable.environment(pid);
    if (pid === process.pid || !environment.includes(`CONSTEL_HOME=${home}`)) continue;
    const agent = environment.find((entry) => entry.startsWith("CONSTEL_AGENT="))?.slice("CONSTEL_AGENT=".length);
    if (agent !== undefined && agent !== "") agents.add(agent);
  }
  return [...agents];
}
