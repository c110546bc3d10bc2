// Drives core/reactions.ts: a loop for each entry, woken by the events and hints that the entry names, and by time.

import { calledBy, type Reaction, type ReactionName, reactions } from "../../core/reactions.ts";
import type { Clock } from "../../ports/machine.ts";
import type { Store } from "../../store/open.ts";
import type { StallMeter } from "../stall-meter.ts";
import { Watches } from "../agents/watches.ts";
import { type Loop, startLoop } from "./loops.ts";

/** The daemon's work in a round of a reaction. */
export interface Round {
  /**
   * Answers how long to wait until the next, when that is not the reaction's usual time. `isQuiet`: all its directories are watched, and nothing
   * happened in them since the last round. A hint, like every watch: a round may leave out looking there, but not for long.
   */
  readonly round: (signal: AbortSignal, isQuiet?: boolean) => Promise<number | undefined>;
  /** Directories whose change is a hint; asked before every round, because they come and go. */
  readonly directories?: () => Iterable<string>;
  /** Called before the first round with the way to have one soon, for hints that come from elsewhere. */
  readonly begin?: (wake: () => void) => void;
  /** Called after the last round. */
  readonly end?: () => Promise<void>;
}

/**
 * Whoever wrote what a reaction waits for has their answer first: a round asks the database without letting anybody else have a turn,
 * some milliseconds long, and several reactions wait for the same events.
 */
const answerFirstMs = 5;

/** A round for every reaction; undefined where the settings leave it out. */
export type Rounds = Readonly<Record<ReactionName, Round | undefined>>;

interface ReactParts {
  readonly store: Pick<Store, "onCommit">;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly meter?: StallMeter | undefined;
}

export function startReactions(rounds: Rounds, parts: ReactParts): Loop[] {
  return (Object.keys(reactions) as ReactionName[]).flatMap((name) => {
    const round = rounds[name];
    return round === undefined ? [] : [react(name, reactions[name], round, parts)];
  });
}

/** Also by itself, for tests of one reaction. */
export function react(name: string, reaction: Reaction, does: Round, { store, clock, log, meter }: ReactParts): Loop {
  const closing = new AbortController();
  let wake = (): void => {};
  let isGathering = false;
  let isNoticed = true;
  const watches = new Watches(() => {
    isNoticed = true;
    wake();
  });

  /** One round soon, for all that happens until then. */
  const gathered = async (gatherMs: number): Promise<void> => {
    if (isGathering) return;
    isGathering = true;
    await clock.sleep(gatherMs, closing.signal);
    isGathering = false;
    if (!closing.signal.aborted) wake();
  };
  const isCalled = calledBy(reaction);
  const forget =
    reaction.events.length === 0
      ? (): void => {}
      : store.onCommit((_, types) => {
          for (const type of types) if (isCalled(type)) return void gathered(reaction.gatherMs ?? answerFirstMs);
        });

  return startLoop(
    {
      name,
      everyMs: reaction.everyMs,
      begin(waker) {
        wake = waker;
        does.begin?.(waker);
      },
      round(signal) {
        const isQuiet = does.directories !== undefined && watches.keep(does.directories()) && !isNoticed;
        isNoticed = false;
        const round = (): Promise<number | undefined> => does.round(signal, isQuiet);
        return meter?.during(`loop ${name}`, round) ?? round();
      },
      async end() {
        forget();
        closing.abort();
        watches.close();
        await does.end?.();
      },
    },
    clock,
    log,
  );
}
