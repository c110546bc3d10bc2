// `state/earlier/<agent>-<time>.json`: launches that another one has taken the place of, until the daemon has counted what they used. They are
// written before the new launch is, by whoever starts the agent, so that no token is lost when no daemon runs, when a task changes hands to another
// program, or when an agent goes on with another account.

import { readTrusted, listTrusted, removeTrusted, writeTrusted } from "../../files/trusted-files.ts";
import type { AgentLaunch } from "../../ports/agent-launch.ts";
import { agentOfFile } from "../../protocol/agent-id.ts";
import { Refusal } from "../../protocol/errors.ts";
import { inHome } from "../../settings/paths.ts";
import { parseLaunch, type Seal } from "./launch-files.ts";

export interface EarlierLaunch {
  /** The name of its file. */
  readonly name: string;
  readonly launch: AgentLaunch;
  /** The next one began then. */
  readonly untilMs: number;
}

/** Of one agent. Without a daemon nobody counts them, and they must not pile up for ever. */
const mostKept = 20;

export function keepEarlier(home: string, launch: AgentLaunch, untilMs: number, seal: Seal): void {
  const { agent, sinceMs } = launch;
  const own = namesOf(home, agent);
  for (const name of own.slice(0, Math.max(0, own.length - mostKept + 1))) removeEarlier(home, name);
  const text = seal(JSON.stringify({ ...launch, untilMs }));
  writeTrusted(home, `${inHome.earlier}/${agent}-${String(sinceMs).padStart(15, "0")}.json`, `${text}\n`);
}

/** Oldest first. What cannot be read is removed: it would be met at every round. */
export function listEarlier(home: string): readonly EarlierLaunch[] {
  return listTrusted(home, inHome.earlier).flatMap((name) => {
    const agent = agentIn(name);
    const found = agent === undefined ? undefined : read(home, name, agent);
    if (found === undefined) removeEarlier(home, name);
    return found ?? [];
  });
}

export const removeEarlier = (home: string, name: string): void => {
  removeTrusted(home, `${inHome.earlier}/${name}`);
};

function agentIn(name: string): string | undefined {
  const [ending] = /-\d{15}\.json$/.exec(name) ?? [];
  return ending === undefined ? undefined : agentOfFile(name, ending);
}

const namesOf = (home: string, agent: string): string[] =>
  listTrusted(home, inHome.earlier)
    .filter((name) => agentIn(name) === agent)
    .sort();

function read(home: string, name: string, agent: string): EarlierLaunch | undefined {
  let text: string | undefined;
  try {
    text = readTrusted(home, `${inHome.earlier}/${name}`)?.toString("utf8");
  } catch (cause) {
    if (cause instanceof Refusal) return undefined;
    throw cause;
  }
  const launch = text === undefined ? undefined : parseLaunch(agent, text);
  const untilMs = (launch as { untilMs?: unknown } | undefined)?.untilMs;
  return launch === undefined || typeof untilMs !== "number" ? undefined : { name, launch, untilMs };
}
