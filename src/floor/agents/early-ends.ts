// Finds out whether a program that was just started refuses to run: not logged in, refused as root, a flag it does not know. It ends by
// itself within moments, and its last words are the answer that whoever started it needs. A program that shows any life is not waited for;
// one that shows nothing at all is reported as silent.

import type { AgentPorts } from "./agent-ports.ts";
import { lastWords } from "../restart/sign-of-life.ts";

export interface EarlyWatch {
  /** Those that were started now, and how long each is given to refuse. */
  readonly started: ReadonlyMap<string, number>;
  /** Tells whether its program has come as far as it gets by itself. */
  lives(agent: string): Promise<boolean>;
  readonly signal: AbortSignal;
}

const lookEveryMs = 100;

export interface EarlyEnds {
  /** The words of those that ended, by agent. */
  readonly ended: ReadonlyMap<string, string>;
  /** Those of whom nothing was seen in the time they were given. */
  readonly silent: ReadonlySet<string>;
}

export async function earlyEnds(
  { terminals, clock }: Pick<AgentPorts, "terminals" | "clock">,
  { started, lives, signal }: EarlyWatch,
): Promise<EarlyEnds> {
  const beganMs = clock.monotonicMs();
  const ended = new Map<string, string>();
  const living = new Set<string>();
  const words = new Map<string, string>();
  for (;;) {
    const passedMs = clock.monotonicMs() - beganMs;
    const there = new Map((await terminals.list()).map((terminal) => [terminal.name, terminal]));
    const open: string[] = [];
    for (const agent of started.keys()) {
      if (living.has(agent) || ended.has(agent)) continue;
      const leftMs = Math.max(lookEveryMs, (started.get(agent) ?? 0) - passedMs);
      if (there.get(agent)?.dead !== true && (await within(leftMs, lives(agent), clock, signal))) living.add(agent);
      else open.push(agent);
    }
    const dead = open.filter((agent) => there.get(agent)?.dead === true);
    const screens = dead.length === 0 ? undefined : await terminals.captureMany(dead);
    for (const agent of dead) {
      const says = wordsOf(there.get(agent)?.exitStatus, screens?.get(agent)?.text ?? "");
      // A terminal may still be drawing what a program said at its end: two looks must find the same.
      if (words.get(agent) === says) ended.set(agent, says);
      words.set(agent, says);
    }
    const waits = open.filter((agent) => !ended.has(agent));
    const isOver = waits.every((agent) => !words.has(agent) && passedMs >= (started.get(agent) ?? 0));
    if (isOver || signal.aborted) return { ended, silent: new Set(waits) };
    await clock.sleep(lookEveryMs, signal);
  }
}

/** A program that is asked over a socket may not answer for long; false then. */
async function within(
  ms: number,
  answer: Promise<boolean>,
  clock: AgentPorts["clock"],
  signal: AbortSignal,
): Promise<boolean> {
  const ended = new AbortController();
  const late = clock.sleep(ms, AbortSignal.any([signal, ended.signal])).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    ended.abort();
  }
}

function wordsOf(exitStatus: number | undefined, screen: string): string {
  const how = exitStatus === undefined ? "it ended at once" : `it ended at once with status ${exitStatus}`;
  const words = lastWords(screen);
  return words === "" ? `${how}, without a word` : `${how}: ${words}`;
}
