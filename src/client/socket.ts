// Calls the daemon over its unix socket.

import type { DaemonProof } from "../ports/daemon-proof.ts";
import { Refusal } from "../protocol/errors.ts";
import { actorHeader } from "../protocol/wire.ts";
import type { DaemonMet } from "./admission.ts";
import { type Caller, callerOver } from "./caller.ts";
import { type Carrier, carryCall } from "./carry.ts";
import { Door } from "./door.ts";
import { NoDaemon } from "./no-daemon.ts";

export { NoDaemon } from "./no-daemon.ts";

export interface SocketCallerOptions {
  /** Hears which daemon it is before anything is asked of it, and may throw. */
  readonly meet?: (daemon: DaemonMet) => void;
  /** Proves whether what listens there is the daemon. Callers that speak for a person or an agent ask for it. */
  readonly proof?: DaemonProof | undefined;
  /** The time for which the daemon may say nothing at all. */
  readonly silenceMs?: number;
  /** Hears what the daemon warns of beside an answer. */
  readonly warned?: (warning: string) => void;
}

export function socketCaller(path: string, actor: string, options: SocketCallerOptions = {}): Caller {
  const door = new Door(path, options.proof, options.meet);
  const headers = { "content-type": "application/json", [actorHeader]: inAscii(actor) };
  return callerOver(async (name, input, { signal }) => {
    try {
      return await ask(name, input, signal);
    } catch (cause) {
      // Another daemon than before answers, and does not know us yet.
      const isUnknown = cause instanceof Refusal && cause.code === "identity.no-pass";
      if (!isUnknown && !(cause instanceof NoDaemon && door.wasOpen)) throw cause;
      door.close();
      return ask(name, input, signal);
    }
  });

  function ask(name: string, input: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    const ask: Carrier["ask"] = (question, begun) => door.ask(question, begun);
    const carrier: Carrier = { place: path, headers, warned: options.warned, ask };
    return carryCall(carrier, { route: `/op/${name}`, input, signal, silenceMs: options.silenceMs });
  }
}

/** A header holds nothing else; what is no name stays none, and is refused as what it looks like. */
const inAscii = (name: string): string => name.replaceAll(/[^\x20-\x7e]/gu, (one) => encodeURIComponent(one));
