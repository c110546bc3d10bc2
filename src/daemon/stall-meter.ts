// Measures how long the daemon's own thread was held at a stretch, and by which operation or round. While it is held nobody is answered, so
// a hold is measured wherever it comes from: work before its first wait by itself, everything else by a timer that comes late. The timer
// comes often only after something began, because a daemon at rest is not to wake for it. On a busy machine a thread that does little is held
// by others' work: the processor time that it used meanwhile is told beside the wait.

import type { Clock } from "../ports/machine.ts";
import type { Stalls } from "../protocol/operations/daemon.ts";

type Stall = NonNullable<Stalls["longest"]>;
type Timer = (callback: () => void, ms: number) => void;

/** A hold that used more of the processor than this is one too many. */
const longMs = 50;
/** Shorter ones are the ordinary turn of the event loop. */
const leastMs = 20;
const oftenMs = 20;
const seldomMs = 1_000;
/** Work that waits longer than this for something else holds nobody meanwhile. */
const watchedMs = 2_000;
const hourMs = 3_600_000;
/** The longest of each minute of an hour. */
const mostKept = 60;

export class StallMeter {
  readonly #clock: Pick<Clock, "monotonicMs" | "nowMs">;
  readonly #later: Timer;
  readonly #cpuMs: () => number;
  #long = 0;
  /** When the timer was set. */
  #cpuSetMs = 0;
  #longest: Stall | undefined;
  #recent: Stall[] = [];
  readonly #inHand = new Map<object, string>();
  /** In hand at any time since the timer came last. */
  readonly #since = new Set<string>();
  #dueMs: number | undefined;
  #watchUntilMs = 0;

  constructor(clock: Pick<Clock, "monotonicMs" | "nowMs">, later: Timer = unwaited, cpuMs = threadMs) {
    this.#clock = clock;
    this.#later = later;
    this.#cpuMs = cpuMs;
    this.#wait();
  }

  get report(): Stalls {
    const fromMs = this.#clock.nowMs() - hourMs;
    const recent = this.#recent.filter(({ at_ms }) => at_ms >= fromMs);
    const longest = recent.toSorted((one, other) => other.ms - one.ms)[0];
    return { longest: this.#longest ?? null, last_hour: longest ?? null, long: this.#long };
  }

  /** Does it under its name. */
  during<Answer>(name: string, work: () => Answer): Answer {
    const key = {};
    const beganMs = this.#clock.monotonicMs();
    const cpuBeganMs = this.#cpuMs();
    this.#inHand.set(key, name);
    this.#since.add(name);
    this.#watchUntilMs = beganMs + watchedMs;
    if (this.#dueMs === undefined || this.#dueMs > beganMs + oftenMs) this.#wait();
    const leave = (): void => void this.#inHand.delete(key);
    try {
      const answer = work();
      if (answer instanceof Promise) answer.then(leave, leave);
      else leave();
      return answer;
    } catch (cause) {
      leave();
      throw cause;
    } finally {
      const heldMs = this.#clock.monotonicMs() - beganMs;
      // The timer is late by the same hold: it is not counted twice.
      if (heldMs >= leastMs) {
        this.#note(heldMs, this.#cpuMs() - cpuBeganMs, [name]);
        this.#wait();
      }
    }
  }

  /** Sets the timer; one that was set before finds that it is no longer meant. */
  #wait(): void {
    const nowMs = this.#clock.monotonicMs();
    const inMs = nowMs < this.#watchUntilMs ? oftenMs : seldomMs;
    const dueMs = nowMs + inMs;
    this.#dueMs = dueMs;
    this.#cpuSetMs = this.#cpuMs();
    this.#later(() => {
      if (this.#dueMs !== dueMs) return;
      const lateMs = this.#clock.monotonicMs() - dueMs;
      if (lateMs >= leastMs) this.#note(lateMs, this.#cpuMs() - this.#cpuSetMs, [...this.#since]);
      this.#since.clear();
      for (const name of this.#inHand.values()) this.#since.add(name);
      this.#wait();
    }, inMs);
  }

  #note(heldMs: number, usedMs: number, names: readonly string[]): void {
    const by = names.length === 0 ? "something else" : names.slice(0, 3).join(", ");
    // What came before the hold is not told apart from it where the timer was late.
    const cpuMs = Math.round(Math.min(usedMs, heldMs));
    if (cpuMs > longMs) this.#long += 1;
    const stall = { ms: Math.round(heldMs), cpu_ms: cpuMs, by, at_ms: this.#clock.nowMs() };
    if (this.#longest === undefined || stall.ms > this.#longest.ms) this.#longest = stall;
    const last = this.#recent.at(-1);
    const isSameMinute = last !== undefined && Math.floor(last.at_ms / 60_000) === Math.floor(stall.at_ms / 60_000);
    if (isSameMinute && last.ms >= stall.ms) return;
    this.#recent = [...(isSameMinute ? this.#recent.slice(0, -1) : this.#recent), stall].slice(-mostKept);
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function unwaited(callback: () => void, ms: number): void {
  setTimeout(callback, ms).unref();
}
