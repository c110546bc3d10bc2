// Whether a program that was just started refuses to run: not logged in, refused as root, a flag it does not know. It ends by itself
// within moments, and what it says then is the answer that whoever started it needs. A program that shows any life is not
// waited for.

import type { AgentPorts } from "./agent-ports.ts";
import { lastWords } from "../restart/sign-of-life.ts";

export interface EarlyWatch {
  /** Those that were started now, and how long each is given to refuse. */
  readonly started: ReadonlyMap<string, number>;
  /** Whether its program has come as far as it gets by itself. */
  lives(agent: string): Promise<boolean>;
  readonly signal: AbortSignal;
}

const lookEveryMs = 100;

/** The words of those that ended, by agent. */
export async function earlyEnds(
  { terminals, clock }: Pick<AgentPorts, "terminals" | "clock">,
  { started, lives, signal }: EarlyWatch,
): Promise<ReadonlyMap<string, string>> {
  const beganMs = clock.monotonicMs();
  const ended = new Map<string, string>();
  const living = new Set<string>();
  for (;;) {
    const passedMs = clock.monotonicMs() - beganMs;
    const there = new Map((await terminals.list()).map((terminal) => [terminal.name, terminal]));
    const open: string[] = [];
    for (const agent of started.keys()) {
      if (living.has(agent) || ended.has(agent)) continue;
      if (there.get(agent)?.dead !== true && (await lives(agent))) living.add(agent);
      else open.push(agent);
    }
    const dead = open.filter((agent) => there.get(agent)?.dead === true);
    const screens = dead.length === 0 ? undefined : await terminals.captureMany(dead);
    for (const agent of dead) ended.set(agent, wordsOf(there.get(agent)?.exitStatus, screens?.get(agent)?.text ?? ""));
    const isOver = open.every((agent) => ended.has(agent) || passedMs >= (started.get(agent) ?? 0));
    if (isOver || signal.aborted) return ended;
    await clock.sleep(lookEveryMs, signal);
  }
}

function wordsOf(exitStatus: number | undefined, screen: string): string {
  const how = exitStatus === undefined ? "it ended at once" : `it ended at once with status ${exitStatus}`;
  const words = lastWords(screen);
  return words === "" ? `${how}, without a word` : `${how}: ${words}`;
}
