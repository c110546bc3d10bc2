// Finds everything that belongs to an agent, wherever it fled to: children of children; processes that were handed to
// init but still are in the session of one of ours; daemons that left the session but carry the agent's mark in their
// environment; and, where one was made, everything in its control group. Ending them is in reap.ts.

import type { CgroupView } from "./cgroup.ts";
import { type ProcessIdentity, type ProcessRow, type ProcessTable, systemProcessTable } from "./process-table.ts";

export interface TreeQuery {
  /** The process it began with, as `identify` told it while it was known to live. */
  readonly root?: ProcessIdentity;
  /** Variables that only processes of this agent were started with; all must be there. */
  readonly mark?: Readonly<Record<string, string>>;
  readonly cgroup?: CgroupView;
  /** Found earlier: still ours, though by now nothing may lead to them. */
  readonly known?: readonly ProcessIdentity[];
  /** Never to be found, whatever leads to them: the tmux server, a daemon. */
  readonly spare?: readonly number[];
}

/**
 * Identifies the process that has this number now. Undefined when no living process has it. Take it while the process is known to be the
 * one meant.
 */
export function identify(pid: number, table: ProcessTable = systemProcessTable): ProcessIdentity | undefined {
  const row = table.row(pid);
  return row === undefined || row.zombie ? undefined : { pid: row.pid, started: row.started };
}

/** All living processes of the tree, the root included. Never this process, nor process 1. */
export function findTree(query: TreeQuery, table: ProcessTable = systemProcessTable): ProcessIdentity[] {
  const rows = new Map(table.rows().map((row) => [row.pid, row]));
  const spared = new Set([0, 1, process.pid, ...(query.spare ?? [])]);
  const found = new Set<number>();
  // Sessions of ours, by the number of their leader, who may have ended.
  const sessions = new Set<number>();
  const add = (row: ProcessRow): void => {
    if (spared.has(row.pid)) return;
    found.add(row.pid);
    if (row.session === row.pid) sessions.add(row.pid);
  };

  for (const identity of [...(query.root ? [query.root] : []), ...(query.known ?? [])]) {
    const row = rows.get(identity.pid);
    if (row?.started === identity.started) add(row);
  }
  // A number cannot be given anew while a session is called by it, so members of a session whose leader is gone are ours,
  // unless the number has a new owner.
  if (query.root !== undefined && !rows.has(query.root.pid)) sessions.add(query.root.pid);
  for (const row of enclosed(query.cgroup?.pids() ?? [], rows)) add(row);
  if (query.mark !== undefined) for (const row of marked(query.mark, rows, table)) add(row);

  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const row of rows.values()) {
      if (!found.has(row.pid) && (found.has(row.parent) || sessions.has(row.session))) add(row);
    }
  }
  return [...found].flatMap((pid) => {
    const row = rows.get(pid);
    return row === undefined || row.zombie ? [] : [{ pid, started: row.started }];
  });
}

function marked(
  mark: Readonly<Record<string, string>>,
  rows: ReadonlyMap<number, ProcessRow>,
  table: ProcessTable,
): ProcessRow[] {
  const wanted = Object.entries(mark).map(([name, value]) => `${name}=${value}`);
  if (wanted.length === 0) return [];
  const carries = (pid: number): boolean => {
    const environment = table.environment(pid);
    return wanted.every((entry) => environment.includes(entry));
  };
  // When we carry the mark ourselves (an agent called us), so do our children, and it says nothing about them.
  const ownMark = carries(process.pid);
  return [...rows.values()].filter((row) => carries(row.pid) && !(ownMark && descends(row, process.pid, rows)));
}

function descends(row: ProcessRow, from: number, rows: ReadonlyMap<number, ProcessRow>): boolean {
  const seen = new Set<number>();
  for (let at: ProcessRow | undefined = row; at !== undefined && !seen.has(at.pid); at = rows.get(at.parent)) {
    if (at.pid === from) return true;
    seen.add(at.pid);
  }
  return false;
}

/** Those in the control group; not our own children when we are in it ourselves, for the same reason. */
function enclosed(pids: readonly number[], rows: ReadonlyMap<number, ProcessRow>): ProcessRow[] {
  const inside = pids.flatMap((pid) => rows.get(pid) ?? []);
  return pids.includes(process.pid) ? inside.filter((row) => !descends(row, process.pid, rows)) : inside;
}
