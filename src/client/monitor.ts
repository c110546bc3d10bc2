// What the terminal monitor (doors/tui/) is given by whoever starts it: a caller, a terminal, and the ways to act.

import type { Caller } from "./caller.ts";

/** The terminal, and the way back out of it. */
export interface WatchTerminal {
  size(): { readonly columns: number; readonly rows: number };
  write(bytes: string): void;
  /** Keys as they were typed; what was pasted comes in one piece. Answers the way to stop it. */
  onKeys(heard: (keys: string) => void): () => void;
  onResize(resized: () => void): () => void;
}

export interface WatchParts {
  readonly caller: Caller;
  /** Ends with the signal; throws when the daemon stays away. Every value means that something happened. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<unknown>;
  /** Runs `constel` with these words; answers its last line. */
  readonly run: (words: readonly string[]) => Promise<{ readonly ok: boolean; readonly said: string }>;
  /** Gives the terminal to an agent's, until the person comes back. */
  readonly attach: (agent: string) => Promise<void>;
  readonly terminal: WatchTerminal;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly constellation: string;
  /** Aborted from outside: a signal. */
  readonly signal: AbortSignal;
}
