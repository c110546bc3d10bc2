// Finds the processes that live inside a directory: their current directory, their program or an open file is below it. It reads /proc where
// there is one, else it asks lsof. A process of another user that may not be looked at is not counted, nor is a git that we started
// ourselves: it looks at what is there for sensing, and nobody works in it.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { Outage } from "../../protocol/errors.ts";
import type { Processes } from "../../ports/machine.ts";
import type { LiveProcess } from "../../ports/workspace.ts";

export async function liveInside(directory: string, processes: Processes): Promise<LiveProcess[]> {
  return process.platform === "linux" ? fromProc(directory) : await fromLsof(directory, processes);
}

function fromProc(directory: string): LiveProcess[] {
  const found: LiveProcess[] = [];
  for (const entry of names("/proc")) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid || isOwnGit(pid)) continue;
    const links = [
      `/proc/${pid}/cwd`,
      `/proc/${pid}/exe`,
      ...names(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`),
    ];
    const path = links.map(target).find((one) => one === directory || one?.startsWith(`${directory}/`));
    if (path !== undefined) found.push({ pid, path, command: commandOf(pid) });
  }
  return found;
}

async function fromLsof(directory: string, processes: Processes): Promise<LiveProcess[]> {
  const outcome = await processes.run(["lsof", "-w", "-R", "-F", "pcRn", "+D", directory], {
    env: { PATH: "/usr/sbin:/usr/bin:/bin", LC_ALL: "C" },
    deadlineMs: 60_000,
  });
  // One that was ended has not said that nobody is there.
  if (outcome.code === null || outcome.timedOut) throw new Outage("run", "lsof", "it was ended before its answer");
  const found = new Map<number, LiveProcess>();
  let pid = 0;
  let command = "";
  let parent = 0;
  for (const line of new TextDecoder().decode(outcome.stdout).split("\n")) {
    if (line.startsWith("p")) pid = Number(line.slice(1));
    if (line.startsWith("c")) command = line.slice(1);
    if (line.startsWith("R")) parent = Number(line.slice(1));
    const isOurs = pid === process.pid || (parent === process.pid && command === "git");
    if (line.startsWith("n") && !isOurs) found.set(pid, { pid, command, path: line.slice(1) });
  }
  return [...found.values()];
}

/**
 * True when it will be gone in a moment: it is a git, such as one that a killed daemon left without a reader, or a process that we have
 * started and that has not become git yet. That one still runs our program. Its name says nothing, because it is the name of the thread
 * that started it, and sensing starts its gits from a thread of its own.
 */
export function isPassing({ pid }: LiveProcess): boolean {
  const { name, parent } = statOf(pid);
  const isStarting = parent === process.pid && target(`/proc/${pid}/exe`) === target("/proc/self/exe");
  return name === "git" || isStarting || parent === undefined;
}

function isOwnGit(pid: number): boolean {
  const { name, parent } = statOf(pid);
  return name === "git" && parent === process.pid;
}

/** Nothing of a process that has ended, or where there is no /proc. */
function statOf(pid: number): { name?: string; parent?: number } {
  try {
    const [, name = "", parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return { name, parent: Number(parent) };
  } catch {
    return {};
  }
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // it ended, or is somebody else's
  }
}

function target(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim().slice(0, 200);
  } catch {
    return "";
  }
}
