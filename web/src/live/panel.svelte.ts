// A panel: one answer of the daemon, asked again when something happens that concerns it. It knows the three ways to show nothing apart:
// not known yet, known to be empty, and not to be had; and whether what it shows is old.

import { NobodyAnswers, SessionOver } from "./ask.ts";
import { hear, live } from "./live.svelte.ts";

/** So much rest between two questions, and more the longer the last one took: what changes all the time is no reason to ask all the time. */
const restMs = 60;
const restForWork = 4;
const longestRestMs = 3_000;

export class Panel<Answer> {
  data = $state.raw<Answer>();
  /** When the answer was asked for. */
  asOfMs = $state(0);
  failure = $state.raw<Error>();

  readonly #load: (signal: AbortSignal) => Promise<Answer>;
  #asking = false;
  #again = false;
  #tookMs = 0;
  #gone = new AbortController();
  #version = 0;

  constructor(load: (signal: AbortSignal) => Promise<Answer>) {
    this.#load = load;
  }

  /** What is shown may not be so any more. */
  get isStale(): boolean {
    return this.data !== undefined && (this.failure !== undefined || live.state === "stale" || live.state === "over");
  }

  get isLoading(): boolean {
    return this.data === undefined && this.failure === undefined;
  }

  async ask(): Promise<void> {
    // A pause may end after the component did.
    if (this.#gone.signal.aborted) return;
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    const version = this.#version;
    const began = performance.now();
    const askedMs = Date.now();
    try {
      const data = await this.#load(this.#gone.signal);
      if (version === this.#version) {
        this.data = data;
        this.asOfMs = askedMs;
        this.failure = undefined;
      }
    } catch (cause) {
      if (!this.#gone.signal.aborted && version === this.#version)
        this.failure = cause instanceof Error ? cause : new Error(String(cause));
      if (cause instanceof SessionOver) live.state = "over";
    } finally {
      this.#asking = false;
      this.#tookMs = performance.now() - began;
    }
    if (this.#again && !this.#gone.signal.aborted) {
      setTimeout(
        () => {
          this.#again = false;
          void this.ask();
        },
        Math.min(longestRestMs, Math.max(restMs, restForWork * this.#tookMs)),
      );
    } else if (this.failure instanceof NobodyAnswers && !this.#gone.signal.aborted) {
      setTimeout(() => void this.ask(), 2_000);
    }
  }

  /** The question is another one now: what was known is no answer to it. */
  renew(): void {
    this.#version += 1;
    this.#gone.abort();
    this.#gone = new AbortController();
    this.data = undefined;
    this.failure = undefined;
    void this.ask();
  }

  /** An answer that came by itself. */
  take(data: Answer): void {
    this.data = data;
    this.asOfMs = Date.now();
    this.failure = undefined;
  }

  end(): void {
    this.#gone.abort();
  }
}

/**
 * A panel for as long as the component lives. `concerns`: the kinds of things after whose events it is asked again; `rows` is what changes
 * without an event. `of`: the question; when it changes, the answer known so far is none.
 */
export function panel<Answer>(
  load: (signal: AbortSignal) => Promise<Answer>,
  concerns: readonly string[] = [],
  of: () => unknown = () => undefined,
): Panel<Answer> {
  const made = new Panel(load);
  let isFirst = true;
  $effect(() => {
    of();
    if (isFirst) void made.ask();
    else made.renew();
    isFirst = false;
  });
  $effect(() => {
    const stop = hear((word) => {
      if (word.kind === "resync") void made.ask();
      if (word.kind === "rows" && concerns.includes("rows")) void made.ask();
      if (word.kind === "events" && word.subjects.some((one) => concerns.includes(one))) void made.ask();
    });
    return () => {
      stop();
      made.end();
    };
  });
  return made;
}
