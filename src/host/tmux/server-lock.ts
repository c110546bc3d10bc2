// Keeps apart, between processes, the moments that tmux cannot take at once. While a control client is coming in, tmux
// 3.3a dies of any notice it would send to it (a session made, renamed or closed, a client gone): every agent would die
// with it. So whoever connects, and whoever causes such a notice, holds this lock for that moment.
//
// The lock is SQLite's on an empty file, because the system takes it back from a process that was killed, on every
// platform. What happens is rare and the lock a precaution: when it cannot be had, we go on without.

import { Database } from "bun:sqlite";
import type { Clock } from "../../ports/machine.ts";

const patienceMs = 2000;
const lookAgainMs = 3;

export class ServerLock {
  readonly #path: string;
  readonly #clock: Clock;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.#take();
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #take(): Promise<() => void> {
    const untilMs = this.#clock.monotonicMs() + patienceMs;
    for (;;) {
      const taken = this.#tryTake();
      if (taken !== "busy") return taken;
      if (this.#clock.monotonicMs() >= untilMs) return () => undefined;
      await this.#clock.sleep(lookAgainMs);
    }
  }

  #tryTake(): "busy" | (() => void) {
    let database: Database | undefined;
    try {
      database = new Database(this.#path, { create: true });
      database.run("BEGIN EXCLUSIVE");
    } catch (cause) {
      database?.close();
      return (cause as { code?: unknown }).code === "SQLITE_BUSY" ? "busy" : () => undefined;
    }
    const held = database;
    return () => held.close();
  }
}
