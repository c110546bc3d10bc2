// Limits the wait for an answer of a long-lived git. The git is ended when no answer comes in time, when it waits for a named pipe that
// stands where a file should be, and when whoever asked is told to stop; those that wait for an answer then hear why.

import { watchForPipe } from "../process/run.ts";

const usualDeadlineMs = 30_000;

export class Patience {
  /** The reason why we ended the process. */
  why: string | undefined;
  readonly #pid: number;
  readonly #kill: () => void;
  readonly #signal: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pipes: ReturnType<typeof setInterval> | undefined;

  constructor(child: { readonly pid: number; kill(signal: "SIGKILL"): void }, signal: AbortSignal | undefined) {
    this.#pid = child.pid;
    this.#kill = () => child.kill("SIGKILL");
    this.#signal = signal;
    if (signal?.aborted === true) this.#stop();
    else signal?.addEventListener("abort", this.#stop, { once: true });
  }

  /** Somebody waits, or something came and there is more to come. */
  wait(deadlineMs = usualDeadlineMs): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end("gave no answer in time"), deadlineMs);
    this.#pipes ??= watchForPipe(this.#pid, () =>
      this.#end("waited for a named pipe that stands where a file should be"),
    );
  }

  /** Nobody waits. */
  rest(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#pipes);
    this.#pipes = undefined;
  }

  /** The process has ended. */
  over(): void {
    this.rest();
    this.#signal?.removeEventListener("abort", this.#stop);
  }

  readonly #stop = (): void => this.#end("was told to stop");

  #end(why: string): void {
    this.why ??= why;
    this.#kill();
  }
}

/** Writing to a process that was ended fails, now or a moment later; whoever waits for its answer hears why from the end itself. */
export function unlessEnded(write: () => unknown): void {
  try {
    Promise.resolve(write()).catch(() => undefined);
  } catch {
    // it has ended
  }
}
