// The processes above one of ours, nearest first, as far as the system tells.

import { readFileSync } from "node:fs";

export interface Ancestor {
  readonly pid: number;
  /** The program's short name. */
  readonly name: string;
}

const mostAncestors = 64;

export function ancestorsOf(parent: number): readonly Ancestor[] {
  const found: Ancestor[] = [];
  for (let pid = parent; pid > 0 && found.length < mostAncestors;) {
    let stat: string;
    try {
      stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    } catch {
      break; // no /proc, or it has just ended
    }
    // The name, in parentheses, may itself contain spaces and parentheses.
    const end = stat.lastIndexOf(")");
    found.push({ pid, name: stat.slice(stat.indexOf("(") + 1, end) });
    pid = Number(stat.slice(end + 2).split(" ")[1]);
  }
  return found;
}
