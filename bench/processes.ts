// A process and all that it started, by what the kernel says of them: constel works in several, and a figure that leaves one out is none.

import { readFileSync } from "node:fs";

export function treeOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim().split(" ").filter(Boolean);
    return [pid, ...children.flatMap((child) => treeOf(Number(child)))];
  } catch {
    return []; // it has just ended
  }
}

/** In milliseconds, what ended among them included. */
export function cpuOfTree(pid: number): number {
  const ticks = treeOf(pid).map((one) => {
    const fields = read(`/proc/${one}/stat`).split(") ")[1]?.split(" ") ?? [];
    return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0);
  });
  return ticks.reduce((sum, one) => sum + one, 0) * msOfTick;
}

/** What each has for itself: pages that several share, such as the program's own, would count several times. */
export function megabytesOfTree(pid: number): number {
  const kilobytes = treeOf(pid).map((one) =>
    Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${one}/smaps_rollup`))?.[1] ?? 0),
  );
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024);
}

const msOfTick = 10;

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
