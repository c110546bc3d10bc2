// The connections of one caller to the daemon's socket, each used again when it is free. No more are open at once than the kernel lets wait for a
// daemon that is busy: it refuses the others, as if nobody were there.

import type { Connection } from "./connection.ts";

const notNeeded = "it is not needed any more";
const mostAtOnce = 256;
/** Each is a descriptor here and one in the daemon. */
const mostIdle = 64;

export class Connections {
  readonly #idle: Connection[] = [];
  #inUse = 0;
  readonly #waiting: (() => void)[] = [];

  /** Asks over one that is free, or over a new one. */
  async use<T>(open: () => Promise<Connection>, ask: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#inUse === mostAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inUse += 1;
    try {
      const connection = this.#idle.pop() ?? (await open());
      const answer = await ask(connection);
      if (this.#idle.length < mostIdle) this.#idle.push(connection);
      else connection.end(notNeeded);
      return answer;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#inUse -= 1;
      else next();
    }
  }

  /** Connections in use go on. */
  endIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.end(notNeeded);
  }
}
