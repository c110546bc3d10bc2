// One thing that the daemon does again and again; react.ts says which there are. A loop that fails says so in its state and in the log, once per change
// of problem, and goes on, resting longer each time; it never ends the daemon.

import { messageOf } from "../../protocol/errors.ts";
import { backOffMs } from "../../ports/back-off.ts";
import type { Clock } from "../../ports/machine.ts";

export interface LoopDeclaration {
  readonly name: string;
  readonly everyMs: number;
  /** One round. Answers how long to wait until the next, when that is not `everyMs`. */
  readonly round: (signal: AbortSignal) => Promise<number | undefined>;
  /** Called before the first round with the way to have one soon. */
  readonly begin?: (wake: () => void) => void;
  /** Called after the last round. */
  readonly end?: () => Promise<void>;
}

export interface Loop {
  readonly name: string;
  /** `failingMs`: since when its rounds fail. */
  readonly state: { lastMs: number | null; problem: string | null; failingMs: number | null };
  /** Does a round soon, whatever the interval. */
  wake(): void;
  /** Resolves when the running round has ended and no other will start. */
  stop(): Promise<void>;
}

/** A failure or two may be gone with the next word. */
const patientFailures = 3;

export function startLoop(declaration: LoopDeclaration, clock: Clock, log: (line: string) => void): Loop {
  const stopping = new AbortController();
  const state: Loop["state"] = { lastMs: null, problem: null, failingMs: null };
  let failures = 0;
  let awake = new AbortController();
  const wake = (): void => awake.abort();
  const ended = run();

  async function run(): Promise<void> {
    declaration.begin?.(wake);
    while (!stopping.signal.aborted) {
      awake = new AbortController();
      let waitMs: number | undefined;
      let restMs = 0;
      try {
        waitMs = await declaration.round(stopping.signal);
        state.problem = null;
        state.failingMs = null;
        failures = 0;
      } catch (cause) {
        const problem = messageOf(cause);
        if (problem !== state.problem)
          log(`loop ${declaration.name}: ${cause instanceof Error ? cause.stack : problem}`);
        state.problem = problem;
        state.failingMs ??= clock.nowMs();
        failures += 1;
        restMs = failures < patientFailures ? 0 : backOffMs(failures - patientFailures + 1);
      }
      state.lastMs = clock.nowMs();
      // A loop may be woken by its own failure: one that keeps failing rests, whoever calls.
      if (restMs > 0) await clock.sleep(restMs, stopping.signal);
      else if (!stopping.signal.aborted && !awake.signal.aborted) {
        waitMs ??= untilTogether(declaration.everyMs, clock.monotonicMs());
        await clock.sleep(waitMs, AbortSignal.any([stopping.signal, awake.signal]));
      }
    }
    await declaration.end?.();
  }

  return {
    name: declaration.name,
    state,
    wake,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

/** Loops that wait for nothing but time wake on whole seconds, all at once: a daemon at rest wakes once a second, and not once for each of them. */
const togetherMs = 1_000;

const untilTogether = (everyMs: number, nowMs: number): number =>
  everyMs < togetherMs ? everyMs : Math.round((nowMs + everyMs) / togetherMs) * togetherMs - nowMs;
