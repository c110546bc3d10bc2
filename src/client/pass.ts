// The word by which the daemon knows this process: asked for once, at a socket where the kernel says who connects.

import { withShortPath } from "./short-path.ts";

/** The daemon answers at once. */
const deadlineMs = 5_000;

export class Pass {
  readonly #path: string;
  #word: Promise<string> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Empty when nobody gives any: the daemon is not there, as the request itself will find. */
  word(): Promise<string> {
    return (this.#word ??= ask(this.#path));
  }

  anew(): Promise<string> {
    this.#word = undefined;
    return this.word();
  }
}

async function ask(path: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(""), deadlineMs);
  let heard = "";
  try {
    await withShortPath(path, (unix) =>
      Bun.connect({
        unix,
        socket: {
          open: (socket) => void socket.write("?"),
          data(socket, bytes) {
            heard += bytes.toString("latin1");
            if (!heard.endsWith("\n")) return;
            resolve(heard.trim());
            socket.end();
          },
          close: () => resolve(""),
          error: () => resolve(""),
        },
      }),
    );
    return await promise;
  } catch {
    return "";
  } finally {
    clearTimeout(timer);
  }
}
