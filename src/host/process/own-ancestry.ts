// Tells whether this very process belongs to an agent, in the few reads that a hook can afford: it looks at the processes that started it.
// belongs-to.ts is the whole answer for everybody else; this one only says yes or "not that I can see".

import { readFileSync, statSync } from "node:fs";
import { isConstels } from "../keys/seal-for-constel.ts";

const deepest = 64;

export function isProcessOf(home: string, agent: string): boolean {
  const leader = leaderOf(home, agent);
  return leader !== undefined && isBelow(leader);
}

interface Leader {
  readonly pid: number;
  readonly token: string;
}

function isBelow({ pid: wanted, token }: Leader): boolean {
  for (let [pid, depth] = [process.pid, 0]; pid > 1 && depth < deepest; depth++) {
    const stat = textOf(`/proc/${pid}/stat`);
    // After the name, which may hold anything: state, parent, and the start as the twentieth.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (pid === wanted) return token.split("-")[1] === fields[19] || token.split("-")[1] === "0";
    pid = Number(fields[1] ?? 0);
  }
  return false;
}

function leaderOf(home: string, agent: string): Leader | undefined {
  try {
    const path = `${home}/state/agents/${agent}.json`;
    // What is no plain file may keep whoever reads it waiting for ever.
    if (!statSync(path).isFile()) return undefined;
    const text = readFileSync(path, "utf8").trim();
    // Any process of the account can write such a file, and name itself the agent's.
    if (!isConstels(home)(text)) return undefined;
    const { leader } = JSON.parse(text) as { leader?: Partial<Leader> };
    const isWhole = typeof leader?.pid === "number" && typeof leader.token === "string";
    return isWhole ? (leader as Leader) : undefined;
  } catch {
    return undefined;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
