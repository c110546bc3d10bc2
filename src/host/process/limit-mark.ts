// A mark that a process cannot shake off: the most bytes that it may put into POSIX message queues is lowered. Every process below
// inherits the limit, by whatever way it is started or forgets its parent, and without the right of root none of them can raise it again. Nearly
// nobody uses such queues, and half of the usual limit is left. It says that an agent's program stands somewhere above, not which: a
// process could lower its own limit to whatever another's is.
//
// Two marks, the lower one for what is an agent's, or a command that a repository names; the higher one for the terminals' server, which
// starts agents and the ticker alike, and whatever any process of the account tells it to. mark-descendants.ts sets them.

import { readFileSync } from "node:fs";

/** The limit that Linux gives every process. */
const usual = 819_200;

export type Mark = "agent" | "server";

/**
 * The shell words by which a shell marks itself before it becomes somebody else's program: nothing that the program starts at once
 * escapes. Where there is no
 * `prlimit`, nothing happens.
 */
export function markingWords(): string {
  if (process.platform !== "linux") return "";
  const { agent } = limits();
  return `prlimit --pid $$ --msgqueue=${agent}:${agent} >/dev/null 2>&1 || :; `;
}

/**
 * The words before a command that has the mark from its first moment: who is marked after the start may have done something before. None where
 * there is no `prlimit`, or where we are marked so ourselves and hand it down.
 */
export function markedFromTheStart(mark: Mark, path: string): readonly string[] {
  if (process.platform !== "linux") return [];
  const wanted = limits()[mark];
  const prlimit = Bun.which("prlimit", { PATH: path });
  return prlimit === null || (hardLimit(process.pid) ?? 0) <= wanted ? [] : [prlimit, `--msgqueue=${wanted}:${wanted}`];
}

/** True when an agent's program, or the terminals' server, is or was above it. */
export const isMarked = (pid: number): boolean => markOn(pid) !== undefined;

/** True when an agent's program is or was above it. */
export const isAgentsMark = (pid: number): boolean => markOn(pid) === "agent";

/** True when its limit is lower than the one Linux gives every process, for whatever reason. */
export const isBelowUsual = (pid: number): boolean => (hardLimit(pid) ?? usual) < usual;

export function markOn(pid: number): Mark | undefined {
  const hard = hardLimit(pid);
  // One look is enough for nearly everybody: each command looks at the daemon.
  if (hard === undefined || hard >= usual) return undefined;
  const { agent, everybody } = limits();
  if (hard >= everybody) return undefined;
  return hard <= agent ? "agent" : "server";
}

let known: { readonly everybody: number; readonly server: number; readonly agent: number } | undefined;

/** A machine that gives everybody less has its first process tell. */
export function limits(): NonNullable<typeof known> {
  if (known !== undefined) return known;
  const everybody = Math.min(usual, hardLimit(1) ?? usual);
  known = { everybody, server: Math.floor((everybody * 3) / 4), agent: Math.floor(everybody / 2) };
  return known;
}

function hardLimit(pid: number): number | undefined {
  try {
    const [, hard] = /^Max msgqueue size +\S+ +(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8")) ?? [];
    return hard === undefined ? undefined : hard === "unlimited" ? Infinity : Number(hard);
  } catch {
    return undefined;
  }
}
