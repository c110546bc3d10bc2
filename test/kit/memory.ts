// The memory that a set of processes takes together. Where no control group can be made, nothing can enforce a limit on a
// whole tree (a limit on address space would say nothing: JavaScriptCore reserves far more than it uses), so it is measured:
// the sum of proportional set sizes, in which a page that several share is counted once.

import { readFileSync } from "node:fs";

/** Asks for the processes again and again, until it is told to end; answers the largest sum seen. */
export function watchMemory(pids: () => readonly (number | string)[], everyMs = 50): { end: () => number } {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(
      peak,
      pids().reduce<number>((sum, pid) => sum + proportionalBytes(pid), 0),
    );
  }, everyMs);
  return {
    end: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

function proportionalBytes(pid: number | string): number {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0; // it has ended
  }
}
