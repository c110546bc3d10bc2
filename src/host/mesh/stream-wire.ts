// Makes a wire of a stream of the machine's: a socket, or the two pipes of a program.

import type { Duplex, Readable, Writable } from "node:stream";
import { Outage } from "../../protocol/errors.ts";
import type { Route, Wire } from "../../ports/mesh.ts";

interface Streams {
  readonly from: Readable;
  readonly to: Writable;
  /** Ends both, and whatever is behind them. */
  readonly close: () => void;
}

export const wireOfSocket = (socket: Duplex, route: Route, proof: Pick<Wire, "provenKey" | "binding"> = {}): Wire =>
  wireOfStreams({ from: socket, to: socket, close: () => void socket.destroy() }, route, proof);

export function wireOfStreams(
  { from, to, close }: Streams,
  route: Route,
  proof: Pick<Wire, "provenKey" | "binding"> = {},
): Wire {
  let broken: Error | undefined;
  let isClosed = false;
  const note = (cause: Error): void => void (broken ??= cause);
  from.on("error", note);
  if ((to as unknown) !== from) to.on("error", note);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of from) yield chunk as Uint8Array;
    } catch (cause) {
      if (!isClosed) throw new Outage("read", `${route.transport} ${route.at}`, broken ?? cause, { mayRetry: true });
    }
  }
  return {
    route,
    ...proof,
    bytes: bytes(),
    write(given) {
      if (isClosed || to.destroyed) return Promise.reject(closed(route));
      if (to.write(given)) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const done = (): void => {
          to.off("drain", taken);
          to.off("close", gone);
        };
        const taken = (): void => (done(), resolve());
        const gone = (): void => (done(), reject(closed(route)));
        to.once("drain", taken);
        to.once("close", gone);
      });
    },
    close() {
      isClosed = true;
      close();
    },
  };
}

const closed = (route: Route): Outage =>
  new Outage("write", `${route.transport} ${route.at}`, "the connection is closed", { mayRetry: true });
